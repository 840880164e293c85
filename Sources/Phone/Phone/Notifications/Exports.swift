// The messages between phone and accessory, as apps know them.
@_exported import HILAccessoryMessages
