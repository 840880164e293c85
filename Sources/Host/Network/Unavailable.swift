// Names of Network that are not simulated. Their use is an error that says so, in place of “cannot find in scope”.

@available(
    *, unavailable, message: "Bonjour is not simulated: connect to the accessory's address, which NWPath.gateways has"
)
public final class NWBrowser {
    public enum Descriptor: Sendable { case bonjour(type: String, domain: String?) }
    public enum State: Sendable { case setup, ready, cancelled }
    public struct Result {}
}

@available(*, unavailable, message: "Bonjour is not simulated, and so are its records")
public struct NWTXTRecord {}

@available(*, unavailable, message: "the phone takes no connections: let the app connect to the accessory")
public final class NWListener {
    public enum State: Sendable { case setup, ready, cancelled }
}

@available(*, unavailable, message: "UDP is not simulated: the phone's connections are TCP")
public enum NWProtocolUDP {}
