import RadioModel

// The controller: its start, its answers and its events.
extension BluetoothStack {
    /// Sends a command.
    mutating func send(_ command: HCICommand, for purpose: Purpose) {
        let (token, outputs) = channel.send(command, at: now)
        purposes[token] = purpose
        take(outputs)
    }

    mutating func follow(_ step: Initialisation.Step) {
        switch step {
        case .send(let command): send(command, for: .start)
        case .failed(let text): fail(text)
        case .done(let information):
            start = nil
            self.information = information
            take(channel.use(information.buffers))
            take(access.powerOn(information, at: now))
            tell(.poweredOn(information))
        }
    }

    mutating func fail(_ text: String) {
        end(because: .controllerFailed(text))
        tell(.failed(text))
    }

    mutating func take(_ outputs: [ControllerChannel.Output]) {
        for output in outputs {
            switch output {
            case .packet(let packet): outbox.append(.packet(packet))
            case .completed(let token, let status, let values): completed(token, status, values)
            case .event(let event): take(event)
            case .frame(let frame, let handle) where handle == bridging.handle:
                onBridge { $0.receive(frame, at: $1) }
            case .frame(let frame, let handle):
                onLink(handle) { stack, link in
                    let passed = stack.tap == nil ? frame : stack.tap?.pass(frame, .received, link.address)
                    if let passed { stack.take(link.l2cap.receive(passed, at: stack.now), of: &link) }
                }
            case .drained(let handle): if let link = links[handle] { tell(.ready(link.address)) }
            case .violation(let handle, let text) where handle == bridging.handle:
                onBridge { $0.violated(text, at: $1) }
            case .violation(let handle, let text): onLink(handle) { $0.end(&$1, because: text) }
            case .failed(let text): fail(text)
            }
        }
    }

    private mutating func completed(_ token: CommandToken, _ status: HCIError, _ values: [UInt8]) {
        switch purposes.removeValue(forKey: token) {
        case .start:
            guard var start else { return }
            let step = start.completed(status, returnParameters: values)
            self.start = start
            follow(step)
        case .access(let purpose): take(access.completed(purpose, status, at: now))
        case .encryption(let handle):
            guard !status.isSuccess else { return }
            onLink(handle) { $0.takeEncryption(.failed(status: status.rawValue), of: &$1) }
        case .signal(let id):
            // The handle, then the strength.
            let signal = values.count == 3 ? Int(Int8(bitPattern: values[2])) : nil
            complete(
                id,
                status.isSuccess
                    ? signal.map { .success(.signal($0)) } ?? .failure(.notConnected) : .failure(.refused(status)))
        case .raw(let id): complete(id, .success(.command(status, values)))
        case .bridge(let id, let command): bridgeCompleted(id, command, status, values)
        case .powerCut: finishPowerOff()
        case .other(let opcode):
            // A link may have ended meanwhile.
            if !status.isSuccess, status != .unknownConnection {
                tell(.note(nil, HCICommand.refusal(of: "\(opcode)", status)))
            }
        case nil: break
        }
    }

    private mutating func take(_ event: HCIEvent) {
        take(access.receive(event, at: now))
        takeClassic(event)
        switch event {
        case .encryptionChange(let change):
            let isOn = change.status.isSuccess && change.isOn
            onLink(change.handle) { $0.takeEncryption(isOn ? .on : .failed(status: change.status.rawValue), of: &$1) }
        case .encryptionKeyRefreshComplete(let handle, let status):
            onLink(handle) { stack, link in
                stack.takeEncryption(status.isSuccess ? .on : .failed(status: status.rawValue), of: &link)
            }
        case .longTermKeyRequest(let handle, let random, let diversifier):
            onLink(handle) { stack, link in
                let key = link.security.longTermKeyRequest(ediv: diversifier, rand: random)
                let reply =
                    key.map { HCICommand.leLongTermKeyRequestReply(handle, key: $0.value.leastSignificantFirst) }
                    ?? .leLongTermKeyRequestNegativeReply(handle)
                stack.send(reply, for: .other(reply.opcode))
            }
        case .leConnectionUpdateComplete(let update):
            guard let link = links[update.handle] else { return }
            if update.status.isSuccess { return tell(.parametersChanged(link.address, update)) }
            tell(.note(link.address, "its connection parameters were not changed: \(update.status)"))
        case .remoteParameterRequest(let handle, _):
            // The personality does not ask for this event, so a controller that has it is odd.
            let reply = HCICommand.leRemoteConnectionParameterRequestNegativeReply(handle)
            send(reply, for: .other(reply.opcode))
        case .dataLengthChange(let handle, let length):
            links[handle]?.dataLength = length
            if let link = links[handle] { tell(.dataLength(link.address, length)) }
        case .phyUpdateComplete(let handle, let status, let tx, let rx):
            guard let link = links[handle], status.isSuccess else { return }
            tell(.phys(link.address, tx: tx, rx: rx))
        default: break
        }
    }

    mutating func take(_ outputs: [GenericAccess.Output]) {
        for output in outputs {
            switch output {
            case .command(let command, let purpose): send(command, for: .access(purpose))
            case .addressChanged(let address): tell(.addressChanged(address))
            case .heard(let discovery):
                kinds.set(discovery.device.address, discovery.device.isRandom)
                if powerOffLimit == nil { tell(.heard(discovery)) }
            case .opened(let link): open(link)
            case .closed(let handle, let reason): close(handle, reason)
            case .retrying(let device, let tries): tell(.retrying(device.address, tries: tries))
            case .failed(let device, let failure):
                for id in connecting.removeValue(forKey: device) ?? [] {
                    complete(id, .failure(.notEstablished(failure)))
                }
            case .advertising(let plan): tell(.advertising(plan))
            case .refused(let text): tell(.note(nil, text))
            }
        }
    }
}
