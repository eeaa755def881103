"""What a model and a plan ask of a cluster: parameters, FLOPs, memory, traffic."""
