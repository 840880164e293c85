import RadioModel

// What the phone wants.
extension BluetoothStack {
    /// Begins or ends a scan. `StackEvent.heard` tells of each advertisement.
    package mutating func scan(_ settings: ScanSettings?, at now: Duration) -> [Output] {
        act(at: now) { $0.take($0.access.scan(settings, at: $0.now)) }
    }

    /// Begins to advertise, changes the content, or ends with nil.
    package mutating func advertise(_ content: AdvertisingContent?, at now: Duration) -> [Output] {
        act(at: now) { $0.take($0.access.advertise(content, at: $0.now)) }
    }

    /// Gives up the attempts to connect to a device.
    package mutating func cancelConnecting(_ address: DeviceAddress, at now: Duration) -> [Output] {
        act(at: now) { stack in
            guard let device = stack.device(address) else { return }
            stack.take(stack.access.cancel(device, at: stack.now))
        }
    }

    /// The ATT MTU of the link to a device, in bytes; nil without a link.
    package func mtu(of address: DeviceAddress) -> Int? { handle(of: address).flatMap { links[$0]?.bearer.mtu } }

    /// How the link to a device is protected; nil without a link.
    package func protection(of address: DeviceAddress) -> LinkSecurity? {
        handle(of: address).flatMap { links[$0]?.protection }
    }

    /// The devices with a link.
    package var connected: [DeviceAddress] {
        links.values.filter { $0.end == nil }.map(\.address).sorted { $0.description < $1.description }
    }

    /// What would be lost if Bluetooth went off now, as a clause about the phone; nil for nothing but a scan.
    package var work: String? {
        if let device = connected.first { return "it has a link with \(device)" }
        if let device = connecting.keys.first { return "it connects to \(device.address)" }
        if access.advertiser.plan != nil { return "it advertises" }
        return nil
    }

    /// Begins a request. `Output.completed` has its result.
    package mutating func perform(
        _ request: StackRequest, at now: Duration
    ) -> (id: StackRequestID, outputs: [Output]) {
        lastRequest += 1
        let id = StackRequestID(number: lastRequest)
        return (id, act(at: now) { $0.begin(request, id) })
    }

    private mutating func begin(_ request: StackRequest, _ id: StackRequestID) {
        guard isPowered else { return complete(id, .failure(.off)) }
        switch request {
        case .connect(let address): connect(address, id)
        case .disconnect(let address):
            guard let handle = handle(of: address) else { return stopConnecting(address, id) }
            disconnecting[handle, default: []].append(id)
            take(access.disconnect(handle, at: now))
        case .pair(let address):
            onLink(to: address, id) { stack, link in
                link.pairing.append(id)
                stack.take(link.security.requestPairing(at: stack.now), of: &link)
            }
        case .gatt(let address, let action):
            onLink(to: address, id) { stack, link in
                let (number, outputs) = link.client.perform(action, over: &link.bearer.client, at: stack.now)
                link.actions[number] = id
                stack.take(outputs, of: &link)
            }
        case .writeWithoutResponse(let address, let handle, let value):
            onLink(to: address, id) { stack, link in
                let (number, outputs) = link.client.writeWithoutResponse(
                    value, to: handle, over: &link.bearer.client, at: stack.now)
                link.actions[number] = id
                stack.take(outputs, of: &link)
            }
        case .openChannel(let address, let psm):
            onLink(to: address, id) { stack, link in
                do throws(L2CAPError) {
                    let (channel, outputs) = try link.l2cap.open(
                        psm: psm, mtu: stack.personality.channels.mtu, at: stack.now)
                    link.channels[channel] = id
                    stack.take(outputs, of: &link)
                } catch { stack.complete(id, .failure(.invalid("\(error)"))) }
            }
        case .signal(let address):
            guard let handle = handle(of: address) else { return complete(id, .failure(.notConnected)) }
            send(.readRSSI(handle), for: .signal(id))
        case .command(let command): send(command, for: .raw(id))
        case .bridge(let address, let psm): bridge(address, psm: psm, id)
        }
    }

    private mutating func onLink(
        to address: DeviceAddress, _ id: StackRequestID, _ body: (inout BluetoothStack, inout StackLink) -> Void
    ) {
        guard let handle = handle(of: address) else { return complete(id, .failure(.notConnected)) }
        onLink(handle, body)
    }

    private mutating func connect(_ address: DeviceAddress, _ id: StackRequestID) {
        if let handle = handle(of: address) {
            guard links[handle]?.opening.isEmpty == false else { return complete(id, .success(.done)) }
            links[handle]?.opening.append(id)
            return
        }
        guard let device = device(address) else { return complete(id, .failure(.unknownDevice(address))) }
        connecting[device, default: []].append(id)
        // The attempt that is under way is for all of them.
        guard connecting[device]?.count == 1 else { return }
        take(access.connect(to: device, at: now))
    }

    /// Gives up the attempt to connect to a device. The requests that wait for it fail.
    private mutating func stopConnecting(_ address: DeviceAddress, _ id: StackRequestID) {
        guard let device = device(address), connecting[device] != nil else {
            return complete(id, .failure(.notConnected))
        }
        take(access.cancel(device, at: now))
        complete(id, .success(.done))
    }

    /// A device that was heard or is bonded; nil for others.
    package func device(_ address: DeviceAddress) -> PeerAddress? {
        kinds.peek(address).map { PeerAddress(address, isRandom: $0) }
    }
}
