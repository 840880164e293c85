import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILReports
import RigModel

/// `hil play`: the phone in the browser, with a scenario that the person in front of it plays.
struct PlayCommandLine: Sendable {
    let request: Request.Playing
    let plan: Plan
    /// The folder of the package.
    let root: String
    let rig: RigKind
    /// Called with a line to print.
    let say: @Sendable (String) -> Void
    /// Called with messages about the command.
    let note: @Sendable (String) -> Void

    /// What the page says about the scenario.
    private struct Played: Encodable {
        let name, title: String
        /// The name of the recording; nil if nothing is recorded.
        let record: String?
    }

    /// Plays until the interruption comes.
    ///
    /// - Throws: ``UsageError`` if it is not clear what to play, or a recording cannot be written.
    func run(until interruption: Interruption) async throws {
        signal(SIGPIPE, SIG_IGN)
        let planned = try PlayChoice(plan).choose(request.scenario)
        let recording = try request.record.map { try place(of: $0, beside: planned) }
        if let lack = planned.lack(on: rig.description(with: request.boards.kind)) {
            throw UsageError(description: "\(planned.identifier) cannot be played on this rig: \(lack)")
        }
        do {
            for program in planned.scenario.traits.programs { try program.check(in: root) }
            for stack in planned.scenario.traits.hostStacks { try stack.check() }
        } catch { throw UsageError(description: "\(error)") }
        let documents = try PageDocuments.get()
        // A folder that the next rig removes if this process is killed.
        let folder = try RigFolder()
        defer { folder.remove() }
        let rigs = try await rig.setUp(interruption, folder.path, request.boards, [planned.accessoryNeeds]) { note($0) }
        let feed = PlayFeed()
        feed.set("scenario", Played(name: planned.identifier, title: planned.scenario.title, record: request.record))
        let state = PlayState(feed: feed)
        let session = PlaySession(planned, on: rigs, state: state, root: root, interruption: interruption)
        let page = PlayServer(documents: documents, state: state, perform: session.perform, again: session.again)
        let server = try page.start(port: request.port)
        defer { server.close() }
        say(server.gate.address)
        say("\(planned.identifier) is yours to play while this command runs; end it with Ctrl-C.")
        await session.run(in: folder.path)
        feed.close()
        if let recording { try write(state.recording, of: planned, to: recording) }
    }

    // MARK: The recording

    /// The path of a recording's file, beside the scenario that is played.
    private func place(of name: String, beside planned: PlannedScenario) throws(UsageError) -> String {
        guard SwiftText.isName(name) else {
            throw UsageError(
                description: "a recording is a scenario, so its name is a Swift name: lampIsSetUp, not “\(name)”")
        }
        if plan.all.contains(where: { $0.named.name == name }) {
            throw UsageError(description: "a scenario \(name) exists already: give the recording another name")
        }
        let (source, file) = (planned.scenario.location.path, planned.named.file)
        let folder = source.hasSuffix("/" + file) ? String(source.dropLast(file.count + 1)) : "\(root)/Scenarios"
        let path = "\(folder)/\(name.prefix(1).uppercased() + name.dropFirst()).swift"
        guard !FileManager.default.fileExists(atPath: path) else {
            throw UsageError(description: "\(path) exists already: give the recording another name")
        }
        return path
    }

    private func write(_ recording: PlayRecording, of planned: PlannedScenario, to path: String) throws {
        if let why = recording.rigFailure {
            return note("nothing is recorded, because the rig failed: \(PlainText.line(why))")
        }
        guard !recording.isEmpty, let name = request.record else {
            return note("nothing is recorded, because nothing was done")
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyy-MM-dd HH:mm 'UTC'"
        let source = recording.source(named: name, of: planned, on: format.string(from: Date()))
        try replaceFile(path, with: source.utf8)
        say("recorded: \(path)")
        say("again: \(Command.invocation.program) run \(name)")
    }
}

/// Chooses the scenario to play.
struct PlayChoice {
    let plan: Plan

    init(_ plan: Plan) { self.plan = plan }

    /// - Parameter name: A scenario's or a case's name, or a part of it; nil for the one with the tag `play`, or the only one.
    /// - Throws: ``UsageError`` if none or several match.
    func choose(_ name: String?) throws -> PlannedScenario {
        guard let name else { return try standard() }
        let found = try plan.selection(Filter(patterns: [name]))
        if let exact = found.first(where: { $0.caseIdentifier == name }) { return exact }
        // The first case will do for a scenario with axes, and the list names the others.
        let names = Set(found.map(\.named.name))
        guard names.count == 1 else {
            throw UsageError(description: "“\(name)” may be any of \(PlayChoice.list(names)): write more of it")
        }
        return found[0]
    }

    private func standard() throws(UsageError) -> PlannedScenario {
        let tagged = plan.all.filter { $0.scenario.traits.tags.contains(.play) }
        let candidates = tagged.isEmpty ? plan.all : tagged
        let names = Set(candidates.map(\.named.name))
        guard names.count == 1 else {
            let why = tagged.isEmpty ? "none has the tag “play”" : "several have the tag “play”"
            throw UsageError(
                description: "no scenario was chosen, because \(why): name one of \(PlayChoice.list(names))")
        }
        return candidates[0]
    }

    private static func list(_ names: Set<String>) -> String {
        let sorted = names.sorted()
        return sorted.prefix(8).joined(separator: ", ") + (sorted.count > 8 ? ", …" : "")
    }
}
