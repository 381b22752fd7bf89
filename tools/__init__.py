"""What the make targets are made of. Nothing here is part of the product."""
