import Foundation

// Core Foundation is not a module for apps on Linux.

@available(
    *, unavailable,
    message: "Core Foundation's streams are not simulated: use InputStream and OutputStream, or a channel's own streams"
)
public typealias CFReadStream = InputStream

@available(
    *, unavailable,
    message: "Core Foundation's streams are not simulated: use InputStream and OutputStream, or a channel's own streams"
)
public typealias CFWriteStream = OutputStream

/// A code of Apple's C functions; zero for success. Foundation has it on Apple's systems. Source: MacTypes.h.
public typealias OSStatus = Int32
/// The code for success. Source: MacTypes.h.
public let noErr: OSStatus = 0
