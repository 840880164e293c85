import BoardAgent
import FoundationEssentials
import HILBlueZ
import PeripheralModel
import RadioModel
import Synchronization

/// The attributes that phones read, write and subscribe to.
extension PeripheralProgram {
    /// The most accesses that may wait for the scenario. A phone has one at a time.
    private static let requestLimit = 64

    package var attributes: AccessoryAttributes {
        AccessoryAttributes(
            services: state.withLock { $0.values?.local ?? [] },
            handler: GATTServerHandler(
                read: { [weak self] access, respond in
                    guard let self else { return respond(.failure(.init(.unlikely))) }
                    read(access, respond)
                },
                write: { [weak self] access, value, respond in
                    guard let self else { return respond(.failure(.init(.unlikely))) }
                    write(access, value, respond)
                },
                subscribe: { [weak self] in self?.subscribe($0.place, $1) },
                confirmed: { [weak self] in self?.tell(.confirmed($0.place)) }))
    }

    private func read(_ access: GATTServerHandler.Access, _ respond: @escaping GATTServerHandler.RespondWithValue) {
        let place = access.attribute.place
        let value: Data? = state.withLock { state in
            guard let values = state.values, !values.answering(at: place).reads else { return nil }
            return try? values.value(at: place)
        }
        guard let value else { return request(access, nil, .read(respond)) }
        respond(.success(value))
        tell(.read(place))
    }

    private func write(
        _ access: GATTServerHandler.Access, _ part: Data, _ respond: @escaping GATTServerHandler.Respond
    ) {
        let place = access.attribute.place
        let (whole, isAnswered): (Result<Data, AttributeErrorCode.Refusal>, Bool) = state.withLock { state in
            guard let values = state.values else { return (.failure(.init(.writeNotPermitted)), false) }
            let whole = values.value(at: place, writing: part, at: access.offset)
            let isAnswered = !values.answering(at: place).writes
            if isAnswered, case .success(let value) = whole { try? state.values?.set(value, at: place) }
            return (whole, isAnswered)
        }
        switch whole {
        case .failure(let refusal): respond(.failure(refusal))
        case .success(let value) where isAnswered:
            respond(.success(()))
            tell(.written(value, place))
        case .success(let value): request(access, value, .write(place, value, respond))
        }
    }

    /// Leaves an access to the scenario.
    private func request(_ access: GATTServerHandler.Access, _ written: Data?, _ waiting: Waiting) {
        let number: Int? = state.withLock { state in
            guard state.requests.count < Self.requestLimit else { return nil }
            state.lastRequest += 1
            state.requests[state.lastRequest] = waiting
            return state.lastRequest
        }
        guard let number else { return waiting.refuse() }
        tell(
            .requested(
                .init(
                    PeripheralRequest(
                        number: number, place: access.attribute.place, written: written, phone: access.device,
                        offset: access.offset, mtu: access.mtu ?? 23))))
    }

    /// Carries out the scenario's answer.
    func answer(_ number: Int, _ answer: PeripheralAnswer) throws(RadioError) {
        guard let waiting = state.withLock({ $0.requests.removeValue(forKey: number) }) else {
            throw .invalid("no access with the number \(number) waits for an answer: the phone may be gone")
        }
        switch (waiting, answer) {
        case (.read(let respond), .value(let value)): respond(.success(value))
        case (.write(let place, _, let respond), .written(let kept)):
            if let kept {
                let refused: RadioError? = state.withLock { state in
                    do throws(RadioError) { try state.values?.set(kept, at: place) } catch { return error }
                    return nil
                }
                if let refused {
                    waiting.refuse()
                    throw refused
                }
            }
            respond(.success(()))
        case (_, .refused(let code)): waiting.refuse(AttributeErrorCode(rawValue: code))
        case (.read, .written), (.write, .value):
            waiting.refuse()
            throw .invalid("a read needs an answer with a value, and a write one without")
        }
    }

    // MARK: Notifications

    private func subscribe(_ place: AttributePlace, _ isOn: Bool) {
        let schedule = state.withLock { $0.values?.characteristic(at: place)?.schedule }
        tell(.subscription(isOn, place))
        state.withLock { $0.schedules.removeValue(forKey: place) }?.cancel()
        guard isOn, let schedule else { return }
        let task = Task { [weak self] in
            await Self.run(schedule) { [weak self] value in self?.notify(value, at: place) }
        }
        state.withLock { $0.schedules[place] = task }
    }

    /// Notifies the values in turn until the task is cancelled. A late value does not delay later ones.
    static func run(
        _ schedule: PeripheralSchedule, clock: some Clock<Duration> = ContinuousClock(),
        _ notify: @escaping @Sendable (Data) -> Void
    ) async {
        let start = clock.now
        var count = 0
        while schedule.repeats || count < schedule.values.count {
            let value = schedule.values[count % schedule.values.count]
            count += 1
            let time = start.advanced(by: .milliseconds(schedule.milliseconds) * count)
            guard (try? await clock.sleep(until: time, tolerance: nil)) != nil else { return }
            notify(value)
        }
    }

    private func notify(_ value: Data, at place: AttributePlace) {
        state.withLock { try? $0.values?.set(value, at: place) }
        radio.notify(value, at: place)
    }
}

extension PeripheralProgram.Waiting {
    func refuse(_ code: AttributeErrorCode = .unlikely) {
        switch self {
        case .read(let respond): respond(.failure(.init(code)))
        case .write(_, _, let respond): respond(.failure(.init(code)))
        }
    }
}
