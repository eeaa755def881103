"""What a model and a plan ask of a cluster: plans made whole, parameters, FLOPs, memory, traffic."""
