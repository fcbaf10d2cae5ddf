"""The record of a repository as one sealed file, to go on with on another machine."""
