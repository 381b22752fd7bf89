"""What is compiled as the games' kernels are (`tools.compile`)."""
