/// The queue of actions, one at a time.
extension GATTClient {
    /// Handles what the ATT client gave, and begins what can begin.
    mutating func run(over attributes: inout AttributeClient, at now: Duration) -> [Output] {
        if let pause = subscriptionPause, pause <= now { subscriptionPause = nil }
        repeat {
            handleInbox(over: &attributes, at: now)
            if let reason = attributes.end { failAll(because: reason) } else { subscribeToServiceChanged() }
            startNext(over: &attributes, at: now)
            withholdServiceChanged(over: &attributes)
        } while !inbox.isEmpty || canStart
        defer { outbox = [] }
        return outbox
    }

    private var canStart: Bool {
        guard current == nil, let next = queue.first else { return false }
        if subscriptionPause != nil, next.subscribes(by: next.pending) { return false }
        return !parked.contains { configuration.waitsForProtection || $0.procedure?.hasPreparedWrites == true }
    }

    private mutating func startNext(over attributes: inout AttributeClient, at now: Duration) {
        guard inbox.isEmpty, canStart else { return }
        var job = queue.removeFirst()
        if let step = job.pending {
            job.pending = nil
            return follow(step, of: job, over: &attributes, at: now)
        }
        switch prepare(job.action, offering: attributes.configuration.offeredMTU) {
        case .answer(let result): finish(job, result)
        case .procedure(var procedure):
            let step = procedure.start(mtu: attributes.mtu)
            job.procedure = procedure
            learn(from: &job)
            follow(step, of: job, over: &attributes, at: now)
        }
    }

    /// Sends the next request of a job, or ends it.
    private mutating func follow(
        _ step: GATTStep, of job: Job, over attributes: inout AttributeClient, at now: Duration
    ) {
        switch step {
        case .done(let result): finish(job, result)
        case .request where subscriptionPause != nil && job.subscribes(by: step):
            var job = job
            job.pending = step
            queue.insert(job, at: 0)
        case .request(let pdu, let context):
            var job = job
            if job.request != step {
                job.request = step
                job.retries = 0
            }
            let (token, outputs) = attributes.request(pdu, for: context, at: now)
            job.token = token
            current = job
            inbox += outputs
        }
    }

    /// Hands an answer to the job that waits for it.
    mutating func proceed(
        _ token: AttributeClient.Token, with answer: Result<ATTPDU, GATTFailure>,
        over attributes: inout AttributeClient, at now: Duration
    ) {
        guard var job = current, job.token == token else { return }
        subscriptionPause = subscriptionPause.map { min($0, now + configuration.pauseAfterKeys) }
        if case .failure(let failure) = answer, needsProtection(failure, job) { return }
        current = nil
        var answer = answer
        if let failure = job.abandonment, !answer.endsBearer { answer = .failure(failure) }
        job.abandonment = nil
        guard let step = job.procedure?.take(answer, mtu: attributes.mtu) else { return }
        learn(from: &job)
        follow(step, of: job, over: &attributes, at: now)
    }

    mutating func finish(_ job: Job, _ result: GATTResult) {
        // The ATT client may have told of it.
        if case .failed(.broken(let text)) = result, text != lastViolation { outbox.append(.violation(text)) }
        if !job.isOwn {
            outbox.append(.completed(job.id, selected(result, for: job.action)))
        } else if case .failed(let failure) = result {
            outbox.append(.note("subscribing to Service Changed failed: \(failure)"))
            if !isEncrypted, let error = failure.error, configuration.protectionErrors.contains(error) {
                serviceChangedNeedsEncryption = true
            }
        }
        if case .failed(.refused(.databaseOutOfSync, _)) = result { servicesChanged(.all) }
    }

    private mutating func failAll(because reason: String) {
        let jobs = (current.map { [$0] } ?? []) + parked + queue
        current = nil
        parked = []
        queue = []
        for job in jobs { finish(job, .failed(.lost(reason))) }
    }

    /// Takes new findings at once: Service Changed may be indicated before its subscription has its answer.
    private mutating func learn(from job: inout Job) {
        let findings = job.procedure?.findings ?? []
        for finding in findings.dropFirst(job.learned) { outbox += table.learn(finding).map { .violation($0) } }
        job.learned = findings.count
    }
}

extension Result<ATTPDU, GATTFailure> {
    /// Whether the bearer can carry no further request.
    fileprivate var endsBearer: Bool {
        if case .failure(let failure) = self { failure.endsBearer } else { false }
    }
}
