import HILBluetoothHost
import RadioModel

/// Runs a host stack on a controller: gives it packets and time, and its results to who waits for them.
package actor StackDriver {
    /// All events of the stack, in order. Only one reader may consume them.
    package nonisolated let events: AsyncStream<StackEvent>
    private let continuation: AsyncStream<StackEvent>.Continuation
    private var stack: BluetoothStack
    private let transport: any ControllerTransport
    private let clock: any Clock<Duration>
    /// The time since the driver was made.
    private let elapsed: @Sendable () -> Duration
    private var waiting: [StackRequestID: CheckedContinuation<StackAnswer, any Error>] = [:]
    private var reader: Task<Void, Never>?
    private var timer: (deadline: Duration, task: Task<Void, Never>)?
    /// Why the transport is lost; nil while it works.
    private var loss: RadioError?

    package init(
        _ stack: BluetoothStack, on transport: any ControllerTransport,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.stack = stack
        self.transport = transport
        self.clock = clock
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        (events, continuation) = AsyncStream<StackEvent>.makeStream()
    }

    deinit {
        reader?.cancel()
        timer?.task.cancel()
        transport.close()
        continuation.finish()
    }

    /// Begins to read the controller's packets.
    package func start() {
        guard reader == nil else { return }
        reader = Task { [weak self, transport] in
            do {
                for try await packet in transport.packets { await self?.receive(packet) }
                await self?.lost(.rig("the phone's controller has closed its connection"))
            } catch {
                await self?.lost(error as? RadioError ?? .rig("\(error)"))
            }
        }
    }

    /// Lets the stack do something.
    package func act(_ body: @Sendable (inout BluetoothStack, Duration) -> [BluetoothStack.Output]) {
        take(body(&stack, elapsed()))
    }

    /// Lets the stack do something that may fail.
    package func act<Failure: Error>(
        _ body: @Sendable (inout BluetoothStack, Duration) throws(Failure) -> [BluetoothStack.Output]
    ) throws(Failure) {
        take(try body(&stack, elapsed()))
    }

    /// Asks the stack for something that it knows.
    package func ask<Value: Sendable>(_ body: @Sendable (BluetoothStack) -> Value) -> Value { body(stack) }

    /// Performs a request, and waits for its result. A cancelled task no longer waits; the request goes on.
    package func perform(_ request: StackRequest) async throws -> StackAnswer {
        if let loss { throw loss }
        let (id, outputs) = stack.perform(request, at: elapsed())
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting[id] = continuation
                take(outputs)
            }
        } onCancel: {
            Task { await self.giveUp(id) }
        }
    }

    private func giveUp(_ id: StackRequestID) {
        waiting.removeValue(forKey: id)?.resume(throwing: CancellationError())
    }

    private func receive(_ packet: [UInt8]) { take(stack.receive(packet, at: elapsed())) }

    private func lost(_ error: RadioError) {
        guard loss == nil else { return }
        loss = error
        take(stack.controllerLost(because: "\(error)", at: elapsed()))
    }

    private func take(_ outputs: [BluetoothStack.Output]) {
        for output in outputs {
            switch output {
            case .packet(let packet):
                do throws(RadioError) { if loss == nil { try transport.send(packet) } } catch { lost(error) }
            case .event(let event): continuation.yield(event)
            case .completed(let id, let result):
                waiting.removeValue(forKey: id)?.resume(with: result.mapError { $0 as any Error })
            }
        }
        setTimer()
    }

    /// One timer for the stack's next deadline.
    private func setTimer() {
        guard let deadline = stack.deadline else {
            timer?.task.cancel()
            timer = nil
            return
        }
        if let timer, timer.deadline == deadline { return }
        timer?.task.cancel()
        let pause = deadline - elapsed()
        let task = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: max(.zero, pause))) != nil else { return }
            await self?.advance()
        }
        timer = (deadline, task)
    }

    private func advance() {
        timer = nil
        take(stack.advance(to: elapsed()))
    }
}
