"""What can be placed and run: device types, media, accelerators, models."""
