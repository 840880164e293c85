import Phone

/// A way to an accessory: Bluetooth, local network or internet, tried in this order.
public typealias AccessoryTransport = ForwardingTransport

/// What a data provider sends to the accessory: payloads, which the phone seals and delivers in order.
public typealias AccessoryMessage = ForwardingMessage

/// One sealed payload, on its way through the transport extension.
public typealias TransportMessage = SealedMessage

/// A key, on its way through the security extension.
public typealias SecurityMessage = KeyMessage
