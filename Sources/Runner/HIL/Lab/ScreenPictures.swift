import Foundation
import HILPhone
import Synchronization

/// The product pictures of drawn screens. Each file is read once.
package final class ScreenPictures: Sendable {
    private let known = Mutex<[String: String?]>([:])

    package init() {}

    /// The picture as a data URI; nil if the file is not a picture.
    package func uri(of path: String) -> String? {
        if let known = known.withLock({ $0[path] }) { return known }
        let uri = FileManager.default.contents(atPath: path).flatMap { data in
            Picture.format(of: Array(data.prefix(16))).map {
                "data:\($0.mediaType);base64,\(data.base64EncodedString())"
            }
        }
        known.withLock { $0[path] = .some(uri) }
        return uri
    }
}
