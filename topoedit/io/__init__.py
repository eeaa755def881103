"""The native file, journal and backups, importers and exporters."""
