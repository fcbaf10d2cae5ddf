"""Examples that a spec writes out, and the programs that ask the product about them."""
