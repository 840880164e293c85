// Names of Network that are not simulated. Their use is an error that says so, in place of “cannot find in scope”.

@available(
    *, unavailable,
    message: "groups of hosts are not simulated: the phone's board joins none. NWConnection sends datagrams to one host"
)
public enum NWConnectionGroup {}

@available(
    *, unavailable,
    message: "groups of hosts are not simulated: the phone's board joins none. NWConnection sends datagrams to one host"
)
public enum NWMulticastGroup {}

@available(
    *, unavailable, message: "WebSockets over NWConnection are not simulated: URLSession's webSocketTask speaks them"
)
public enum NWProtocolWebSocket {}

@available(
    *, unavailable, message: "framers are not simulated: divide the bytes of a connection where they are received"
)
public enum NWProtocolFramer {}

@available(*, unavailable, message: "QUIC is not simulated: speak TLS over TCP, by NWParameters.tls, or UDP")
public enum NWProtocolQUIC {}
