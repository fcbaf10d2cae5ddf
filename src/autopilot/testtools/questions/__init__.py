"""What a criterion asks the product with, and what else it could be asked with."""
