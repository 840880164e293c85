// Names of Network that are not simulated. Their use is an error that says so, in place of “cannot find in scope”.

@available(*, unavailable, message: "UDP is not simulated: the phone's connections are TCP")
public enum NWProtocolUDP {}
