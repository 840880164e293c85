import HILPhone
import HostRadio
import RadioModel

/// The service that a listener offers.
extension NWListener {
    /// The name of a service without a name: that of the phone, as in `UIDevice.name`.
    private static let phoneName = "iPhone"

    /// Offers the service if there is one, the listener listens, and the person allows it.
    func offer() {
        let (service, port, isOffered) = shared.withLock { ($0.service, $0.listener?.port, $0.publication != nil) }
        guard let service, let port else { return }
        guard !isOffered else {
            // The person has refused it in Settings since.
            if phone.localNetworkAccess.answer(for: app) == .denied {
                withdraw()
                enter(.waiting(.policyDenied))
            }
            return
        }
        guard phone.localNetworkAccess.isDeclared(service.type, by: app) else {
            return end(in: .failed(.noAuth))
        }
        switch phone.localNetworkAccess.request(for: app) {
        case .denied: return enter(.waiting(.policyDenied))
        case .undetermined:
            // In the foreground the person is asked now. In the background the person is not asked.
            return app.isInForeground ? () : enter(.waiting(.policyDenied))
        case .allowed: enter(.ready)
        }
        let offer = shared.withLock { shared in
            shared.offer += 1
            return shared.offer
        }
        let offered = BonjourService(
            name: service.name ?? NWListener.phoneName, type: NWEndpoint.plainType(service.type), port: port,
            text: service.txtRecordObject?.strings ?? [])
        Task { [weak self, phone] in
            do {
                let publication = try await phone.network.publish(offered, renaming: !service.noAutoRename)
                guard self?.keep(publication, of: offer) ?? false else { return publication.close() }
                var known = 0
                while true {
                    let name = try await publication.registeredName(after: known)
                    known += 1
                    self?.registered(
                        .service(
                            name: name, type: offered.type, domain: service.domain ?? "local.", interface: nil),
                        of: offer)
                }
            } catch { self?.offerEnded(offer, error) }
        }
    }

    private func keep(_ publication: any RadioPublication, of offer: Int) -> Bool {
        shared.withLock { shared in
            guard shared.offer == offer, !shared.hasEnded else { return false }
            shared.publication = publication
            return true
        }
    }

    private func registered(_ endpoint: NWEndpoint, of offer: Int) {
        shared.withLock { shared in
            guard shared.offer == offer, shared.registered != endpoint else { return }
            if let before = shared.registered { tell(.remove(before), shared) }
            shared.registered = endpoint
            tell(.add(endpoint), shared)
        }
    }

    private func offerEnded(_ offer: Int, _ error: any Error) {
        guard shared.withLock({ $0.offer == offer }) else { return }
        let isTaken = service?.noAutoRename ?? false
        end(in: .failed(isTaken ? .dns(Int32(kDNSServiceErr_NameConflict)) : NWError(bonjour: error)))
    }

    /// Changes the TXT record of the offered service.
    func changeText(_ service: Service) {
        let (publication, offer) = shared.withLock { ($0.publication, $0.offer) }
        guard let publication else { return }
        Task { [weak self, text = service.txtRecordObject?.strings ?? []] in
            do { try await publication.setText(text) } catch {
                // The app may have offered another service meanwhile.
                guard let self, shared.withLock({ $0.offer == offer }) else { return }
                end(in: .failed(NWError(bonjour: error)))
            }
        }
    }

    /// Stops offering the service.
    func withdraw() { shared.withLock { withdraw(&$0) }?.close() }

    /// - Returns: The publication to close.
    func withdraw(_ shared: inout Shared) -> (any RadioPublication)? {
        shared.offer += 1
        if let registered = shared.registered { tell(.remove(registered), shared) }
        defer { (shared.publication, shared.registered) = (nil, nil) }
        return shared.publication
    }

    /// Called with the lock held, so that the app gets the events in order.
    private func tell(_ change: ServiceRegistrationChange, _ shared: Shared) {
        guard let handler = shared.onRegistration, let queue = shared.queue else { return }
        phone.deliver(to: app, on: queue) { handler(change) }
    }
}
