import RadioModel

// ATT and GATT, in both roles.
extension BluetoothStack {
    mutating func take(_ outputs: [AttributeBearer.Output], of link: inout StackLink) {
        for output in outputs {
            switch output {
            case .client(let output):
                take(link.client.take([output], over: &link.bearer.client, at: now), of: &link)
            case .server(let output): take([output], of: &link)
            }
        }
    }

    mutating func take(_ outputs: [GATTClient.Output], of link: inout StackLink) {
        for output in outputs {
            switch output {
            case .send(let pdu): take(link.l2cap.send(pdu, on: .attributes), of: &link)
            case .completed(let action, let result):
                link.waiting.removeAll { $0 == action }
                guard let id = link.actions.removeValue(forKey: action) else { break }
                if case .failed(let failure) = result {
                    if failure.endsLink { tell(.requestFailed(link.address, "\(failure)")) }
                    complete(id, .failure(.gatt(failure)))
                } else {
                    complete(id, .success(.gatt(result)))
                }
            case .needsProtection(let action, _): protect(action, of: &link)
            case .value(let handle, let value, _): tell(.value(link.address, handle: handle, value))
            case .servicesChanged(let range): tell(.servicesChanged(link.address, range))
            case .mtuChanged(let mtu):
                link.bearer.server.mtu = mtu
                tell(.mtu(link.address, mtu))
            case .violation(let text), .linkMustEnd(let text): end(&link, because: text)
            case .note(let text): tell(.note(link.address, text))
            }
        }
    }

    mutating func take(_ outputs: [AttributeServer.Output], of link: inout StackLink) {
        for output in outputs {
            switch output {
            case .send(let pdu): take(link.l2cap.send(pdu, on: .attributes), of: &link)
            case .asks(let token, let request):
                guard let answer = own.answer(request, by: &link.bearer.server, in: database) else {
                    tell(.asked(link.address, token, request))
                    break
                }
                take(link.bearer.server.answer(token, answer, in: &database), of: &link)
            case .subscribed(let handle, let notifies, let indicates):
                tell(.subscribed(link.address, handle: handle, isOn: notifies || indicates))
            case .confirmed(let handle): tell(.confirmed(link.address, handle: handle))
            case .written(let handle, let value): tell(.written(link.address, handle: handle, value))
            case .unsent(let handle, let why):
                tell(.note(link.address, "the value of handle \(HandleRange.text(handle)) was not sent: \(why)"))
            case .mtuChanged(let mtu):
                link.bearer.client.mtu = mtu
                tell(.mtu(link.address, mtu))
            case .violation(let text), .linkMustEnd(let text): end(&link, because: text)
            case .note(let text): tell(.note(link.address, text))
            }
        }
    }

    /// Gives the answer to `StackEvent.asked`.
    package mutating func answer(
        _ token: AttributeServer.RequestToken, of address: DeviceAddress, _ answer: AttributeServer.Answer,
        at now: Duration
    ) -> [Output] {
        onLink(of: address, at: now) { stack, link in
            stack.take(link.bearer.server.answer(token, answer, in: &stack.database), of: &link)
        }
    }

    /// Sends a value to every device that has subscribed to it, and keeps it.
    ///
    /// - Parameter handle: The handle of the characteristic's value.
    package mutating func notify(_ value: [UInt8], of handle: UInt16, at now: Duration) -> [Output] {
        act(at: now) { stack in
            stack.database.setValue(value, at: handle)
            for link in stack.links.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
                stack.onLink(link) { stack, link in stack.send(value, of: handle, to: &link) }
            }
        }
    }

    /// Sends a value to one device if it has subscribed to it. The value is not kept.
    ///
    /// - Parameter handle: The handle of the characteristic's value.
    package mutating func notify(
        _ value: [UInt8], of handle: UInt16, to address: DeviceAddress, at now: Duration
    ) -> [Output] {
        onLink(of: address, at: now) { stack, link in stack.send(value, of: handle, to: &link) }
    }

    private mutating func send(_ value: [UInt8], of handle: UInt16, to link: inout StackLink) {
        let wish = link.bearer.server.subscription(of: handle, in: database)
        if wish.contains(.notifies) {
            take(link.bearer.server.notify(value, of: handle, in: database), of: &link)
        } else if wish.contains(.indicates) {
            take(link.bearer.server.indicate(value, of: handle, at: now, in: database), of: &link)
        }
    }
}
