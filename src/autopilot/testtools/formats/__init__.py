"""Report formats that several test tools share: JUnit XML, TAP, JSON, printed lines."""
