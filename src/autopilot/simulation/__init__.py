"""The scripted agent, the scripted model server, and the conformance test of agents against them."""
