// The messages' types. The phone uses them too, so they are in a module below it.
@_exported import HILAccessoryMessages
