import RadioModel

// The one channel.
extension ClassicBridge {
    /// Takes a whole frame of the device.
    mutating func receive(_ frame: [UInt8], at now: Duration) -> [Output] {
        guard handle != nil, phase != .over else { return [] }
        return take(l2cap.receive(frame, at: now), at: now)
    }

    /// The device broke a rule of the link.
    mutating func violated(_ text: String, at now: Duration) -> [Output] { fail(.violation(text), at: now) }

    mutating func openChannel(at now: Duration) -> [Output] {
        phase = .step(.channel)
        do throws(L2CAPError) {
            let (channel, outputs) = try l2cap.open(psm: psm, at: now)
            self.channel = channel
            return take(outputs, at: now)
        } catch { return fail(.violation("\(error)"), at: now) }
    }

    mutating func take(_ outputs: [L2CAPLink.Output], at now: Duration) -> [Output] {
        outputs.flatMap { take($0, at: now) }
    }

    private mutating func take(_ output: L2CAPLink.Output, at now: Duration) -> [Output] {
        switch output {
        case .frame(let frame): return handle.map { [.frame(frame, on: $0)] } ?? []
        case .opened(channel, _, _, _): return greet(at: now)
        case .openFailed(channel, let refusal): return fail(.channel(psm: psm, refusal), at: now)
        // Any answer will do.
        case .received(channel, _): return closeChannel(at: now)
        case .closed(channel, _, let end):
            let note: [Output] = if case .violation(let text) = end { [.note(text)] } else { [] }
            return note + hangUp(at: now)
        case .timedOut(let request): return [.note("it did not answer \(request)")]
        case .note(let text): return [.note(text)]
        case .violation(let text): return violated(text, at: now)
        case .fixed(let channel, _): return [.note("it sent a packet of \(channel), which the phone does not have")]
        default: return []
        }
    }

    /// The channel is open: sends the first packet.
    private mutating func greet(at now: Duration) -> [Output] {
        guard phase == .step(.channel), let channel else { return [] }
        result = .success(ClassicLink(address: address, key: strength, keySize: keySize))
        phase = .greeting
        limit = now + configuration.answerLimit
        let packet = configuration.firstPacket(on: psm)
        do throws(L2CAPError) { return take(try l2cap.send(sdu: packet, on: channel), at: now) } catch {
            return [.note("the first packet was not sent: \(error)")] + closeChannel(at: now)
        }
    }
}
