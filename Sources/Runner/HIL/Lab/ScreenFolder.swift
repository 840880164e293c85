import Dispatch
import Foundation
import HILPOSIX
import HILPhone
import HILRecord
import HILScreenDrawing
import Synchronization

/// Draws each screen that the phone shows into a folder, in light and dark: `03-setting-up.light.svg`.
///
/// It draws on its own queue, so that the scenario does not wait for it.
final class ScreenFolder: Sendable {
    private struct State {
        var count = 0
        /// The screen that is shown now; nil for the app alone.
        var shown: Screen?
        var hasFailed = false
    }

    private let path: String
    private let told: @Sendable (ScenarioEvent) -> Void
    private let queue = DispatchQueue(label: "screens")
    private let pictures = ScreenPictures()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: The folder. It is created with the first drawing.
    ///   - told: Is called with the files of each screen, and once, with a message, if a drawing cannot be written.
    init(_ path: String, told: @escaping @Sendable (ScenarioEvent) -> Void) {
        self.path = path
        self.told = told
    }

    /// Draws the screen that is shown from now on; returns at once. Nil is the app alone, which cannot be drawn.
    func add(_ screen: Screen?) {
        let (number, behind) = state.withLock { state in
            defer { state.shown = screen }
            if screen != nil { state.count += 1 }
            return (state.count, state.shown)
        }
        guard let screen else { return }
        // A limit, because a neighbour that keeps changing its name keeps changing the screen.
        guard number <= ScreenDrawing.screenLimit else { return }
        queue.async { self.draw(screen, over: behind, number) }
    }

    /// Waits until all screens that were added are drawn.
    func finish() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func draw(_ screen: Screen, over behind: Screen?, _ number: Int) {
        let paths = [screen, behind].compactMap(\.self).flatMap(ScreenDrawing.picturePaths)
        let pictures = paths.reduce(into: [:]) { $0[$1] = self.pictures.uri(of: $1) }
        let drawing = ScreenDrawing(screen, over: behind, pictures: pictures)
        mkdir(path, 0o755)
        func file(_ appearance: ScreenDrawing.Appearance) -> String {
            "\(ScreenDrawing.name(of: screen, number: number)).\(appearance.rawValue).svg"
        }
        do {
            for appearance in ScreenDrawing.Appearance.allCases {
                try replaceFile("\(path)/\(file(appearance))", with: drawing.svg(appearance).utf8)
            }
        } catch {
            let isFirst = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            if isFirst { told(.note(text: "pictures of the phone's screens are missing: \(error)")) }
            return
        }
        let folder = URL(fileURLWithPath: path).lastPathComponent
        told(
            .drawn(ScreenPicture(number: number, light: "\(folder)/\(file(.light))", dark: "\(folder)/\(file(.dark))")))
    }
}
