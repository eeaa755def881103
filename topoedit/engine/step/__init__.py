"""The time of a training step: kernels, exposed communication, pipeline bubble."""
