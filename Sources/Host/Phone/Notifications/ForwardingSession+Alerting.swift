import Timing

extension ForwardingSession {
    /// Begins to tell the data provider of a new notification; returns when the next may be told of.
    ///
    /// That is when this one's first message has its place in the line, or is not to come any more.
    func begin(
        _ notification: PhoneNotification, _ alerting: Alerting, with provider: any HostedNotificationsHandler
    ) async {
        while addCount >= max(1, link.policy.notificationsInFlight) {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            addWaiter = continuation
            for await _ in stream {}
        }
        addCount += 1
        let turn = AddTurn()
        Task {
            await AddTurn.$current.withValue(turn) { await self.add(notification, alerting, to: provider) }
            turn.end()
            self.addEnded()
        }
        // With one at a time its end is waited for above.
        await turn.wait()
    }

    private func addEnded() {
        addCount -= 1
        addWaiter?.finish()
        addWaiter = nil
    }

    /// Hands a new notification to the data provider and notes whether the accessory alerts with it.
    ///
    /// A provider that throws has not alerted (N3), nor has one that takes longer than the phone waits before it sees to
    /// the person's attention itself; what it sends later is delivered all the same.
    private func add(
        _ notification: PhoneNotification, _ alerting: Alerting, to provider: any HostedNotificationsHandler
    ) async {
        let name = notification.identifier.notificationIdentifier
        let (answers, continuation) = AsyncStream<Result<Bool, any Error>>.makeStream()
        Task { [link] in
            do {
                let alerted = try await link.run { () async throws -> Bool in
                    try await provider.add(notification, alerting)
                }
                if let alerted { continuation.yield(.success(alerted)) }
            } catch { continuation.yield(.failure(error)) }
            continuation.finish()
        }
        var alerted = false
        do {
            alerted = try await withDeadline(
                link.policy.alertCoordinationLimit, waitingFor: "addNotification to return", clock: link.clock
            ) {
                for await answer in answers { return try answer.get() }
                throw CancellationError()
            }
        } catch let error as TimedOut {
            record(.failed("notification \(name): coordinationTimeout, \(error)"))
        } catch { record(.failed("notification \(name): \(error)")) }
        record(.added(notification.identifier, alerted: alerted))
    }
}
