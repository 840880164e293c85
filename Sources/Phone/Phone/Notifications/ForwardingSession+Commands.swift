import Synchronization

/// The commands for the data provider: carried out in order, and again if its process ends before it has sent anything.
extension ForwardingSession {
    /// A command that the data provider works on.
    struct CommandInHand {
        let number: Int
        let command: Command
        weak var progress: CommandProgress?
    }

    /// Queues a command for the data provider. Commands are carried out in order.
    nonisolated func submit(_ command: Command) { commands.yield((backlog.add(command), command)) }

    /// Carries out those commands again whose process has ended, and then this one.
    func carryOut(_ command: Command?, _ number: Int) async {
        guard (try? await waitForLaunch(of: .dataProvider)) != nil else { return }
        while !isOver, !again.isEmpty {
            let (number, command) = again.removeFirst()
            if let command = asItIsNow(command) {
                await perform(command, number)
            } else {
                backlog.settle(number)
            }
        }
        if let command, !isOver { await perform(command, number) }
    }

    private func perform(_ command: Command, _ number: Int) async {
        guard (try? await waitForLaunch(of: .dataProvider)) != nil, let run = runs[.dataProvider]?.run else { return }
        let progress = CommandProgress { [backlog, weak self] progress in
            // A command that the end of the session interrupts stays in the backlog, for the next session.
            guard !progress.hasArrived else { return backlog.settle(number) }
            guard let self, !isOver else { return }
            if run.isRunning || !link.policy.repeatsAfterExtensionEnd { return backlog.settle(number) }
            if progress.takeRepeat() { Task { await self.carryOutAgain(command, number) } }
        }
        inHand.removeAll { $0.progress == nil }
        inHand.append(CommandInHand(number: number, command: command, progress: progress))
        let host = link.hosting(run)
        await CommandProgress.$current.withValue(progress) {
            for provider in providers {
                switch command {
                case .add(let notification, let alerting): await begin(notification, alerting, with: provider, host)
                case .update(let notification): host.run { provider.update(notification) }
                case .remove(let identifier): host.run { provider.remove(identifier) }
                case .removeAll: host.run { provider.removeAll() }
                }
            }
        }
        if case .add = command { return }
        run.reached(.receive)
    }

    /// The process of the data provider has ended: commands for which it has sent nothing are carried out again. What it
    /// has sent is the phone's to deliver.
    func repeatUnsent() {
        guard link.policy.repeatsAfterExtensionEnd else { return }
        for entry in inHand {
            guard let progress = entry.progress, progress.isUnsent, progress.takeRepeat() else { continue }
            addAgain(entry.command, entry.number)
        }
        inHand = []
    }

    /// A data provider whose process had ended wanted to send something, or never did.
    func carryOutAgain(_ command: Command, _ number: Int) {
        guard !isOver else { return }
        addAgain(command, number)
        commands.yield((0, nil))
    }

    private func addAgain(_ command: Command, _ number: Int) {
        backlog.settle(number)
        again.append((backlog.add(command), command))
    }

    /// The command with its notification as it is now; nil if the phone no longer has that.
    private func asItIsNow(_ command: Command) -> Command? {
        func posted(_ identifier: PhoneNotification.Identifier) -> PhoneNotification? {
            link.phone?.notifications.posted.first { $0.identifier == identifier }
        }
        return switch command {
        case .add(let notification, let alerting): posted(notification.identifier).map { .add($0, alerting) }
        case .update(let notification): posted(notification.identifier).map { .update($0) }
        case .remove, .removeAll: command
        }
    }
}

/// Counts the messages that a data provider sends for one command.
///
/// The tasks that could send a message for the command hold this object. It is released when the provider's handler has
/// returned and the tasks that it started have ended; no more messages can follow then.
final class CommandProgress: Sendable {
    /// The command that the current task works on.
    @TaskLocal static var current: CommandProgress?

    private struct State {
        var (begun, arrived) = (0, 0)
        var wasRefused = false
        var isRepeated = false
    }

    private let state = Mutex(State())
    private let ended: @Sendable (CommandProgress) -> Void

    /// - Parameter ended: Called at the end. It must not keep the object.
    init(ended: @escaping @Sendable (CommandProgress) -> Void) { self.ended = ended }

    deinit { ended(self) }

    /// Whether messages were sent and the accessory has all of them.
    var hasArrived: Bool { state.withLock { $0.begun > 0 && $0.begun == $0.arrived && !$0.wasRefused } }

    /// Whether no message was sent.
    var isUnsent: Bool { state.withLock { $0.begun == 0 } }

    /// Counts a message that the provider sends.
    func sendBegan() { state.withLock { $0.begun += 1 } }

    /// Notes a message that was not sent, because the provider's process had ended.
    func sendWasRefused() { state.withLock { $0.wasRefused = true } }

    /// Counts a message that the accessory has received.
    func sendArrived() { state.withLock { $0.arrived += 1 } }

    /// Whether the command is to be carried out again; true only once.
    func takeRepeat() -> Bool {
        state.withLock { state in
            defer { state.isRepeated = true }
            return !state.isRepeated
        }
    }
}
