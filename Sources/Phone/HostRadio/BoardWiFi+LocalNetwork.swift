import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel

/// Services, names and incoming connections, by a host board's Avahi and sockets.
extension BoardWiFi {
    package func browse(_ type: String, domain: String?, readingText readsText: Bool) async throws -> any RadioBrowser {
        let number = try await board.ask {
            .localNetwork(.browse(type: type, domain: domain, readsText: readsText, $0))
        }
        return BoardBrowser(number, on: board)
    }

    package func place(of service: BonjourName) async throws -> NetworkPlace {
        try await board.ask { .localNetwork(.resolve(service, $0)) }
    }

    package func address(ofHost name: String) async throws -> String {
        try await board.ask { .localNetwork(.resolveHost(name, $0)) }.address
    }

    package func publish(_ service: BonjourService, renaming isRenamed: Bool) async throws -> any RadioPublication {
        let number = try await board.ask { .localNetwork(.publish(service, isRenamed: isRenamed, $0)) }
        return BoardPublication(number, on: board)
    }

    package func listen(at port: UInt16, by transport: InternetTransport) async throws -> any RadioListener {
        let listener = try await board.ask { .localNetwork(.listen(port: port, by: transport, $0)) }
        return BoardListener(listener.number, port: listener.port, on: board)
    }
}

/// A day is longer than any run: the awaited event may never come.
private let noLimit = Duration.seconds(86_400)

extension BoardClient {
    /// Closes something, without waiting for it.
    fileprivate nonisolated func close(by call: @escaping @Sendable (Reply<Done>) -> LocalNetworkCall) {
        Task { try? await ask { .localNetwork(call($0)) } }
    }
}

private final class BoardBrowser: RadioBrowser {
    private let board: BoardClient
    private let number: Int

    init(_ number: Int, on board: BoardClient) { (self.number, self.board) = (number, board) }

    deinit { close() }

    func changes() async throws -> [BonjourChange] {
        try await board.ask(within: noLimit) { .localNetwork(.nextChanges(number, $0)) }
    }

    func close() { board.close { [number] in .endBrowsing(number, $0) } }
}

private final class BoardPublication: RadioPublication {
    private let board: BoardClient
    private let number: Int

    init(_ number: Int, on board: BoardClient) { (self.number, self.board) = (number, board) }

    deinit { close() }

    func registeredName(after known: Int) async throws -> String {
        try await board.ask(within: noLimit) { .localNetwork(.registeredName(number, after: known, $0)) }
    }

    func setText(_ text: [Data]) async throws { try await board.ask { .localNetwork(.setText(number, text, $0)) } }

    func close() { board.close { [number] in .withdraw(number, $0) } }
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
        let accepted = try await board.ask(within: noLimit) { .localNetwork(.accept(number, $0)) }
        return (BoardStream(accepted.number, on: board), accepted.peer)
    }

    func close() { board.close { [number] in .stopListening(number, $0) } }
}
