import Foundation

/// The processes of the extensions: launches, ends, and launches again.
extension ForwardingSession {
    /// The running process of an extension.
    struct RunningExtension {
        let run: ExtensionRun
        /// The watch of its end.
        let end: LinkWatch
    }

    /// Launches an extension; again, with pauses, as long as its process ends before it has accepted the session.
    ///
    /// - Parameter isAgain: Whether its process has ended before in this session.
    /// - Throws: ``ForwardingError`` if the extension rejects the session, or ends too often.
    func launch(_ which: ForwardingExtension, isAgain: Bool = false) async throws {
        var isAgain = isAgain
        while true {
            guard !isOver else { throw ForwardingError.ended }
            let run = ExtensionRun(which, for: accessory, supervisor: link.phone?.extensions)
            link.phone?.extensions.add(run)
            let began = elapsed()
            do {
                try await offerSession(to: run)
                guard !isOver else { return forget(run) }
                let end = run.whenEnded { [weak self, weak run] in
                    guard let self, let run else { return }
                    Task { await self.processEnded(run, began: began) }
                }
                // It may have ended meanwhile: then the watch has begun a task, which runs after this.
                runs[which] = RunningExtension(run: run, end: end)
                if isAgain {
                    launchCount += 1
                    record(.extensionLaunchedAgain(which))
                }
                return
            } catch is ExtensionRunEnded {
                isAgain = true
                try await pauseBeforeRelaunch(of: run, began: began)
            } catch {
                forget(run)
                throw error
            }
        }
    }

    /// Handles the end of a process: launches the extension again, after a pause.
    private func processEnded(_ run: ExtensionRun, began: Duration) async {
        let which = run.which
        guard !isOver, runs[which]?.run === run else { return }
        runs[which] = nil
        relaunching.insert(which)
        letGo(of: which)
        do {
            try await pauseBeforeRelaunch(of: run, began: began)
            if isWanted(which) { try await launch(which, isAgain: true) }
        } catch { end("\(error)") }
        relaunching.remove(which)
        wakeLaunchWaiters()
        commands.yield((0, nil))
    }

    private func isWanted(_ which: ForwardingExtension) -> Bool {
        if case .transport(let transport) = which { wantedTransports.contains(transport) } else { true }
    }

    /// Records the end of a process, and waits as long as the policy says.
    ///
    /// - Throws: ``ForwardingError/unavailable(_:)`` if the extension has ended too often to be launched again.
    private func pauseBeforeRelaunch(of run: ExtensionRun, began: Duration) async throws {
        let which = run.which
        let reason = link.phone?.extensions.reason(of: run) ?? .crash
        record(.extensionEnded(which, reason))
        guard
            let pause = relaunches[which, default: ExtensionRelaunches()]
                .ended(after: elapsed() - began, link.policy.extensionRelaunch)
        else {
            let count = relaunches[which]?.count ?? 0
            throw ForwardingError.unavailable("\(which) ended \(count) times in a row, the last time because \(reason)")
        }
        if pause > .zero { try await link.clock.sleep(for: pause) }
        guard !isOver else { throw ForwardingError.ended }
    }

    /// Releases what the process had, without a call into it.
    private func letGo(of which: ForwardingExtension) {
        switch which {
        case .dataProvider:
            providers = []
            repeatUnsent()
        case .security:
            securitySession.withLock { $0 += 1 }
            security.processEnded()
        case .transport(let transport): processes.removeValue(forKey: transport)?.processEnded()
        }
    }

    /// The process no longer belongs to the session.
    func forget(_ which: ForwardingExtension) {
        if let run = runs.removeValue(forKey: which)?.run { forget(run) }
    }

    private func forget(_ run: ExtensionRun) { link.phone?.extensions.forget(run) }

    // MARK: Waits

    /// Waits while an extension is being launched again.
    ///
    /// - Throws: ``ForwardingError/ended`` if the session ends first.
    func waitForLaunch(of which: ForwardingExtension) async throws {
        try await wait { !self.relaunching.contains(which) }
    }

    /// Waits while no transport can be used, and one is being launched again.
    ///
    /// - Throws: ``ForwardingError/ended`` if the session ends first.
    func waitForTransport() async throws {
        try await wait { !self.transportsInOrder().isEmpty || !self.isLaunchingTransport }
    }

    /// Whether the transport extension is being launched again for a transport.
    var isLaunchingTransport: Bool {
        relaunching.contains { if case .transport = $0 { true } else { false } }
    }

    /// The policy's limit of ends in a row also limits this wait.
    private func wait(forLaunch holds: () -> Bool) async throws {
        while true {
            guard !isOver else { throw ForwardingError.ended }
            if holds() { return }
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            launchWaiters.append(continuation)
            for await _ in stream {}
            try Task.checkCancellation()
        }
    }

    func wakeLaunchWaiters() {
        for waiter in launchWaiters { waiter.finish() }
        launchWaiters = []
    }
}
