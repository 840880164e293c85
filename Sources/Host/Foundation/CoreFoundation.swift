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
