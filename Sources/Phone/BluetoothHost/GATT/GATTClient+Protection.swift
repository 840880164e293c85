/// Requests that need an encrypted link or a better key.
///
/// Source: Core Specification 6.0, Vol 3, Part C, 10.3.2.
extension GATTClient {
    /// Repeats the refused request of an action, for example after pairing. An unknown action is ignored.
    package mutating func retry(
        _ id: GATTRequestID, over attributes: inout AttributeClient, at now: Duration
    ) -> [Output] {
        if var job = unpark(id) {
            job.retries += 1
            job.pending = job.request
            resume(job)
        }
        return run(over: &attributes, at: now)
    }

    /// Lets an action fail with the error of its refused request. An unknown action is ignored.
    package mutating func giveUp(
        _ id: GATTRequestID, over attributes: inout AttributeClient, at now: Duration
    ) -> [Output] {
        if let job = unpark(id), let refusal = job.refusal { end(job, because: refusal, mtu: attributes.mtu) }
        return run(over: &attributes, at: now)
    }

    /// Lets a job that is not under way fail. It may have something to cancel first.
    mutating func end(_ job: Job, because failure: GATTFailure, mtu: Int) {
        var job = job
        job.refusal = nil
        switch job.procedure?.take(.failure(failure), mtu: mtu) ?? .failed(failure) {
        case .done(let result): finish(job, result)
        case let step:
            job.pending = step
            job.isEnding = true
            resume(job)
        }
    }

    /// Puts a job that has begun before all that have not.
    private mutating func resume(_ job: Job) {
        queue.insert(job, at: queue.firstIndex { $0.pending == nil } ?? queue.count)
    }

    /// Parks the current job if better protection may cure its failure.
    mutating func needsProtection(_ failure: GATTFailure, _ job: Job) -> Bool {
        if case .request = job.action { return false }
        guard case .refused(let error, _) = failure, configuration.protectionErrors.contains(error),
            !job.isOwn, job.abandonment == nil, job.retries < configuration.mostRetries
        else { return false }
        var job = job
        job.refusal = failure
        job.token = nil
        current = nil
        parked.append(job)
        outbox.append(.needsProtection(job.id, error))
        return true
    }

    private mutating func unpark(_ id: GATTRequestID) -> Job? {
        guard let index = parked.firstIndex(where: { $0.id == id }) else { return nil }
        return parked.remove(at: index)
    }
}
