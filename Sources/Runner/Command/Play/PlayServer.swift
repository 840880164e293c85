import Foundation
import HIL
import HILPOSIX
import HILReports

/// The page of `hil play`: the news for it, and the actions of its person.
struct PlayServer: Sendable {
    /// The longest silence towards a page, in seconds: sending shows whether it was closed.
    private static let silence = 5.0

    let documents: PageDocuments
    let state: PlayState
    /// Hands a command to the scenario. False if there is none at the moment.
    let perform: @Sendable (PlayCommand) -> Bool
    /// Begins again with new boards.
    let again: @Sendable () -> Void

    /// Begins to serve.
    func start(port: UInt16) throws(SystemError) -> LoopbackServer {
        try LoopbackServer(port: port, icon: documents.icon) { request, path in
            request.method == "POST" ? .whole(post(request, path)) : get(path)
        }
    }

    private func get(_ path: [String]) -> LoopbackServer.Answer {
        switch path {
        case [], ["index.html"]:
            return .whole(HTTPResponse(200, "text/html; charset=utf-8", documents.play))
        case ["live"]: return .stream("text/event-stream") { follow($0) }
        case ["do"], ["again"]: return .whole(.told(405))
        default:
            guard path.count == 3, path[0] == "screen", path[1].utf8.count < 10, let number = Int(path[1]),
                let drawing = state.drawing(number, path[2])
            else { return .whole(.told(404)) }
            return .whole(HTTPResponse(200, "image/svg+xml", drawing.utf8))
        }
    }

    private func post(_ request: HTTPRequest, _ path: [String]) -> HTTPResponse {
        switch path {
        case ["again"]:
            again()
            return .told(204)
        case ["do"]:
            guard let command = try? JSONDecoder().decode(PlayCommand.self, from: Data(request.body)) else {
                return .told(400)
            }
            if let mistake = command.mistake {
                return HTTPResponse(400, "text/plain; charset=utf-8", "\(mistake)\n".utf8)
            }
            return .told(perform(command) ? 204 : 503)
        default: return .told(404)
        }
    }

    /// Sends a page the news, until the page or the server is gone.
    private func follow(_ stream: LoopbackServer.Stream) {
        state.feed.listen { listener in
            var cursor = PlayFeed.Cursor()
            do throws(SystemError) {
                while let news = state.feed.news(since: &cursor, listener, seconds: PlayServer.silence) {
                    try stream.send(Array(news.utf8))
                }
            } catch {}
        }
    }
}
