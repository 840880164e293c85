@_exported import HILAccessoryMessages

/// A transport to an accessory. Apps know it as `AccessoryTransport`.
public typealias ForwardingTransport = AccessoryTransport

/// A message from a data provider to the accessory. Apps know it as `AccessoryMessage`.
public typealias ForwardingMessage = AccessoryMessage

/// One sealed payload, to or from the accessory. Apps know it as `TransportMessage`.
public typealias SealedMessage = TransportMessage

/// A key that the phone and the accessory exchange. Apps know it as `SecurityMessage`.
public typealias KeyMessage = SecurityMessage
