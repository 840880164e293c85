import HILPhone

/// A way to an accessory: Bluetooth, local network or internet, tried in this order.
public typealias AccessoryTransport = ForwardingTransport

/// A message from a data provider to the accessory. The phone encrypts its payloads and delivers them in order.
public typealias AccessoryMessage = ForwardingMessage

/// One encrypted payload, which the transport extension carries.
public typealias TransportMessage = SealedMessage

/// A public or encapsulated key, which the security extension carries.
public typealias SecurityMessage = KeyMessage
