"""The servers that the tests speak to, a module each, and the keeper that runs them."""
