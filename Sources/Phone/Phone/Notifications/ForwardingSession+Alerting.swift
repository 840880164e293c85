import HILTiming

extension ForwardingSession {
    /// Starts handing a new notification to the data provider; returns when the next one may start.
    ///
    /// That is when the first message for this notification is in the queue, or when none will come.
    func begin(
        _ notification: PhoneNotification, _ alerting: Alerting, with provider: any HostedNotificationsHandler,
        _ host: PhoneLink
    ) async {
        while addCount >= max(1, link.policy.notificationsInFlight) {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            addWaiter = continuation
            for await _ in stream {}
        }
        addCount += 1
        let turn = AddSlot()
        Task {
            await AddSlot.$current.withValue(turn) { await self.add(notification, alerting, to: provider, host) }
            turn.end()
            self.addEnded()
        }
        // With a limit of one, the loop above also waits for the end of the previous notification.
        await turn.wait()
    }

    private func addEnded() {
        addCount -= 1
        addWaiter?.finish()
        addWaiter = nil
    }

    /// Hands a new notification to the data provider, and records whether the accessory alerts the person.
    ///
    /// If the provider throws (N3) or takes longer than `alertCoordinationLimit`, the accessory counts as not having
    /// alerted. Messages that a late provider sends are still delivered. If its process ends before it has sent anything,
    /// the notification is added again.
    private func add(
        _ notification: PhoneNotification, _ alerting: Alerting, to provider: any HostedNotificationsHandler,
        _ host: PhoneLink
    ) async {
        let name = notification.identifier.notificationIdentifier
        let (answers, continuation) = AsyncStream<Result<Bool, any Error>>.makeStream()
        let end = host.host?.whenEnded { continuation.yield(.failure(ExtensionRunEnded())) }
        defer { withExtendedLifetime(end) {} }
        host.host?.reached(.receive)
        Task {
            do {
                let alerted = try await host.run { () async throws -> Bool in
                    try await provider.add(notification, alerting)
                }
                if let alerted, host.isRunning {
                    continuation.yield(.success(alerted))
                    host.host?.reached(.answer)
                }
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
        } catch is ExtensionRunEnded
            where CommandProgress.current?.isUnsent == true && link.policy.repeatsAfterExtensionEnd
        {
            return
        } catch let error as TimedOut {
            record(.failed("notification \(name): coordinationTimeout, \(error)"))
        } catch { record(.failed("notification \(name): \(error)")) }
        record(.added(notification.identifier, alerted: alerted))
    }
}
