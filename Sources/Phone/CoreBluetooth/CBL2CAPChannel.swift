import Foundation
import HILPhone
import HostRadio

/// The port of an L2CAP channel over LE (protocol and service multiplexer).
public typealias CBL2CAPPSM = UInt16

/// An L2CAP channel to another device, with a stream of bytes in each direction.
///
/// The app opens both streams and schedules them on a run loop, as on iOS. The channel ends when the app releases it.
///
/// Not `Sendable`, as on iOS.
public final class CBL2CAPChannel: NSObject {
    /// The device at the other end.
    public let peer: CBPeer!
    /// The bytes from the other end.
    public let inputStream: InputStream!
    /// The bytes to the other end.
    public let outputStream: OutputStream!
    /// The port of the channel.
    public let psm: CBL2CAPPSM

    private let pipe: ChannelPipe

    init(_ channel: any RadioChannel, port: CBL2CAPPSM, peer: CBPeer?) {
        let pipe = ChannelPipe(channel)
        self.pipe = pipe
        self.peer = peer
        psm = port
        inputStream = ChannelInputStream(pipe)
        outputStream = ChannelOutputStream(pipe)
        super.init()
        pipe.start()
    }

    deinit { pipe.close() }
}
