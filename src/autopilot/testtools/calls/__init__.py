"""What functions answer while their tests run: to the calls of the tests, and to calls near them."""
