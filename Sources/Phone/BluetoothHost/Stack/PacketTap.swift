import RadioModel

/// One L2CAP frame on a link, between the host's layers and the controller.
package struct TappedPacket: Sendable, Hashable {
    package enum Direction: Sendable, Hashable {
        case sent
        case received
    }

    package var direction: Direction
    package var device: DeviceAddress
    package var frame: L2CAPFrame

    package init(_ direction: Direction, _ device: DeviceAddress, _ frame: L2CAPFrame) {
        self.direction = direction
        self.device = device
        self.frame = frame
    }
}

/// What becomes of packets on their way, for experiments: each may pass, be dropped, changed, or held until it is
/// released.
package struct PacketTap: Sendable {
    package enum Verdict: Sendable, Hashable {
        case pass
        case drop
        /// Keeps it until ``BluetoothStack/release(_:at:)``.
        case hold
        case replace([UInt8])
    }

    /// The most packets that are held; further ones pass.
    package static let mostHeld = 1024

    let judge: @Sendable (TappedPacket) -> Verdict
    private(set) var held: [TappedPacket] = []

    package init(_ judge: @escaping @Sendable (TappedPacket) -> Verdict) { self.judge = judge }

    /// The frame as it goes on; nil if it goes no further now.
    mutating func pass(_ frame: [UInt8], _ direction: TappedPacket.Direction, _ device: DeviceAddress) -> [UInt8]? {
        // A frame with a wrong length is for the layers themselves to refuse.
        guard let whole = try? L2CAPFrame(frame) else { return frame }
        let packet = TappedPacket(direction, device, whole)
        switch judge(packet) {
        case .pass: return frame
        case .drop: return nil
        case .hold:
            guard held.count < PacketTap.mostHeld else { return frame }
            held.append(packet)
            return nil
        case .replace(let payload):
            return L2CAPFrame(channel: whole.channel, payload: payload).bytes
        }
    }
}

// Experiments with packets.
extension BluetoothStack {
    /// Sets what becomes of packets on all links; nil lets all pass. Held packets are forgotten.
    package mutating func tap(_ tap: PacketTap?) { self.tap = tap }

    /// The packets that are held, the oldest first.
    package var held: [TappedPacket] { tap?.held ?? [] }

    /// Lets packets go on, in this order, as if they had just come: held ones, or any others.
    ///
    /// A sent packet goes to the device, a received one to the host's layers. What has no link is lost.
    package mutating func release(_ packets: [TappedPacket], at now: Duration) -> [Output] {
        act(at: now) { stack in
            for packet in packets {
                guard let handle = stack.handle(of: packet.device) else { continue }
                switch packet.direction {
                case .sent: stack.take(stack.channel.send(frame: packet.frame.bytes, on: handle))
                case .received:
                    stack.onLink(handle) { stack, link in
                        stack.take(link.l2cap.receive(packet.frame.bytes, at: stack.now), of: &link)
                    }
                }
            }
        }
    }

    /// Sends bytes on the link to a device as they are, past all layers: a frame with its header, right or wrong.
    ///
    /// - Parameter continues: Whether they are marked as more of the frame before.
    package mutating func send(
        raw bytes: [UInt8], continues: Bool = false, to device: DeviceAddress, at now: Duration
    ) -> [Output] {
        act(at: now) { stack in
            guard let handle = stack.handle(of: device) else { return }
            stack.take(stack.channel.send(frame: bytes, on: handle, continues: continues))
        }
    }
}
