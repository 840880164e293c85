/// A uniform type. This is the part of Apple's UniformTypeIdentifiers that files of notifications need.
public struct UTType: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The identifier: `public.png`.
    public let identifier: String

    /// Takes any identifier; nil if its form is wrong.
    ///
    /// - Parameter identifier: At least two parts with dots between them.
    public init?(_ identifier: String) {
        let parts = identifier.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.identifier = identifier
    }

    /// Finds the type for a file name extension; nil if none of the types below has it.
    ///
    /// - Parameter filenameExtension: Without the dot, in upper or lower case.
    public init?(filenameExtension: String) {
        let name = filenameExtension.lowercased()
        guard let known = UTType.known.first(where: { $0.extensions.contains(name) }) else { return nil }
        self = known.type
    }

    public static let data = UTType(known: "public.data")
    public static let png = UTType(known: "public.png")
    public static let jpeg = UTType(known: "public.jpeg")
    public static let heic = UTType(known: "public.heic")
    public static let gif = UTType(known: "com.compuserve.gif")
    public static let mp3 = UTType(known: "public.mp3")
    public static let wav = UTType(known: "com.microsoft.waveform-audio")
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    public static let pdf = UTType(known: "com.adobe.pdf")

    private init(known identifier: String) { self.identifier = identifier }

    private static let known: [(type: UTType, extensions: [String], mime: String)] = [
        (.png, ["png"], "image/png"), (.jpeg, ["jpeg", "jpg"], "image/jpeg"), (.heic, ["heic"], "image/heic"),
        (.gif, ["gif"], "image/gif"), (.mp3, ["mp3"], "audio/mpeg"), (.wav, ["wav"], "audio/vnd.wave"),
        (.mpeg4Movie, ["mp4"], "video/mp4"), (.pdf, ["pdf"], "application/pdf"),
    ]

    /// The usual file name extension, without the dot; nil for a type that is not listed above.
    public var preferredFilenameExtension: String? { UTType.known.first { $0.type == self }?.extensions.first }
    /// The MIME type; nil for a type that is not listed above.
    public var preferredMIMEType: String? { UTType.known.first { $0.type == self }?.mime }
    public var description: String { identifier }
}
