import BoardProtocol
import Foundation
import RadioModel

/// Services, names and incoming connections, by a host board's Avahi and sockets.
extension BoardWiFi {
    public func browse(_ type: String, domain: String?, readingText readsText: Bool) async throws -> any RadioBrowser {
        BoardBrowser(try await board.number(.browse(type: type, domain: domain, readsText: readsText)), on: board)
    }

    public func place(of service: BonjourName) async throws -> NetworkPlace {
        guard case .place(let place) = try await board.result(.resolve(service)) else { throw Self.surprise }
        return place
    }

    public func address(ofHost name: String) async throws -> String {
        guard case .place(let place) = try await board.result(.resolveHost(name)) else { throw Self.surprise }
        return place.address
    }

    public func publish(_ service: BonjourService, renaming isRenamed: Bool) async throws -> any RadioPublication {
        BoardPublication(try await board.number(.publish(service, isRenamed: isRenamed)), on: board)
    }

    public func listen(at port: UInt16, by transport: InternetTransport) async throws -> any RadioListener {
        guard case .listener(let number, let port) = try await board.result(.listen(port: port, by: transport)) else {
            throw Self.surprise
        }
        return BoardListener(number, port: port, on: board)
    }

    fileprivate static var surprise: RadioError { .rig("the host board's answer does not fit the command") }
}

/// A day is longer than any run: the awaited event may never come.
private let noLimit = Duration.seconds(86_400)

extension BoardClient {
    fileprivate func number(_ command: LocalNetworkCommand) async throws -> Int {
        guard case .number(let number) = try await ask(.localNetwork(command)) else { throw BoardWiFi.surprise }
        return number
    }

    fileprivate func result(
        _ command: LocalNetworkCommand, within limit: Duration = .seconds(30)
    ) async throws -> LocalNetworkResult {
        guard case .localNetwork(let result) = try await ask(.localNetwork(command), within: limit) else {
            throw BoardWiFi.surprise
        }
        return result
    }

    /// Closes something, without waiting for it.
    fileprivate nonisolated func close(by command: LocalNetworkCommand) {
        Task { _ = try? await ask(.localNetwork(command)) }
    }
}

private final class BoardBrowser: RadioBrowser {
    private let board: BoardClient
    private let number: Int

    init(_ number: Int, on board: BoardClient) { (self.number, self.board) = (number, board) }

    deinit { close() }

    func changes() async throws -> [BonjourChange] {
        guard case .changes(let changes) = try await board.result(.nextChanges(number), within: noLimit) else {
            throw BoardWiFi.surprise
        }
        return changes
    }

    func close() { board.close(by: .endBrowsing(number)) }
}

private final class BoardPublication: RadioPublication {
    private let board: BoardClient
    private let number: Int

    init(_ number: Int, on board: BoardClient) { (self.number, self.board) = (number, board) }

    deinit { close() }

    func registeredName(after known: Int) async throws -> String {
        guard case .name(let name) = try await board.result(.registeredName(number, after: known), within: noLimit)
        else { throw BoardWiFi.surprise }
        return name
    }

    func setText(_ text: [Data]) async throws { _ = try await board.ask(.localNetwork(.setText(number, text))) }

    func close() { board.close(by: .withdraw(number)) }
}

private final class BoardListener: RadioListener {
    let port: UInt16
    private let board: BoardClient
    private let number: Int

    init(_ number: Int, port: UInt16, on board: BoardClient) {
        (self.number, self.port, self.board) = (number, port, board)
    }

    deinit { close() }

    func accept() async throws -> (stream: any RadioStream, peer: NetworkPlace) {
        guard case .accepted(let stream, let peer) = try await board.result(.accept(number), within: noLimit) else {
            throw BoardWiFi.surprise
        }
        return (BoardStream(stream, on: board), peer)
    }

    func close() { board.close(by: .stopListening(number)) }
}
