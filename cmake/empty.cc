namespace espalier {}
