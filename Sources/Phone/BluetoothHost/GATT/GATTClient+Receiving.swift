/// The outputs of the ATT client.
extension GATTClient {
    mutating func handleInbox(over attributes: inout AttributeClient, at now: Duration) {
        while !inbox.isEmpty {
            let outputs = inbox
            inbox = []
            for output in outputs { handle(output, over: &attributes, at: now) }
        }
    }

    private mutating func handle(
        _ output: AttributeClient.Output, over attributes: inout AttributeClient, at now: Duration
    ) {
        switch output {
        case .send(let bytes): outbox.append(.send(bytes))
        case .answered(let token, let pdu): proceed(token, with: .success(pdu), over: &attributes, at: now)
        case .refused(let token, let error, let handle, _):
            proceed(token, with: .failure(.refused(error, handle: handle)), over: &attributes, at: now)
        case .failed(let token, let text):
            let failure: GATTFailure = attributes.end == nil ? .broken(text) : .lost(text)
            proceed(token, with: .failure(failure), over: &attributes, at: now)
        case .timedOut(let token, let text):
            proceed(token, with: .failure(.timedOut(text)), over: &attributes, at: now)
        case .notified(let handle, let value): receive(value, of: handle, isIndication: false, over: attributes)
        case .indicated(let handle, let value): receive(value, of: handle, isIndication: true, over: attributes)
        case .mtuChanged(let mtu): outbox.append(.mtuChanged(mtu))
        case .violation(let text):
            lastViolation = text
            outbox.append(.violation(text))
        case .note(let text): outbox.append(.note(text))
        case .linkMustEnd(let text): outbox.append(.linkMustEnd(text))
        }
    }

    /// A value is delivered at once, also before the Write Response of its subscription.
    private mutating func receive(
        _ value: [UInt8], of handle: UInt16, isIndication: Bool, over attributes: AttributeClient
    ) {
        if handle == table.serviceChangedHandle {
            return receive(serviceChanged: value, of: handle, isIndication: isIndication)
        }
        if table.characteristic(at: handle) == nil, notedHandles.count < configuration.mostNotedHandles,
            notedHandles.insert(handle).inserted
        {
            let what = isIndication ? "indication" : "notification"
            outbox.append(.note("\(what) of the unknown handle \(HandleRange.text(handle))"))
        }
        outbox.append(.value(handle: handle, value, isIndication: isIndication))
    }
}
