/// Checks an app's product pictures. A picker shows them in a frame of 180×120 points, on light and dark (K17).
enum PictureCheck {
    /// The picker's frame, in points.
    private static let frame = (width: 180, height: 120)
    /// Pixels per point of the existing phones.
    private static let scales = [3, 2]

    static func findings(in names: [String], of folder: String) -> [AppFinding] {
        var findings: [AppFinding] = []
        // By path without scale: the files of one picture for screens of different scales.
        var families: [String: [(name: String, picture: ProductPicture)]] = [:]
        for name in names where isProductPicture(name) {
            do {
                let picture = try ProductPicture(contentsOf: "\(folder)/\(name)")
                families[stem(of: name), default: []].append((name, picture))
                if picture.hasOpaqueBackground {
                    let text = "it has an opaque background, visible in light or dark mode: make it transparent"
                    findings.append(AppFinding("K17", name, text, isFatal: false))
                }
            } catch { findings.append(AppFinding("K17", name, "\(error)")) }
        }
        for (_, family) in families.sorted(by: { $0.key < $1.key }) { findings += resolution(of: family) }
        return findings
    }

    /// A finding if the file with the most pixels is too small to fill the frame on every phone.
    private static func resolution(of family: [(name: String, picture: ProductPicture)]) -> [AppFinding] {
        func covers(_ picture: ProductPicture, at scale: Int) -> Bool {
            picture.width >= frame.width * scale || picture.height >= frame.height * scale
        }
        guard let best = family.max(by: { $0.picture.width < $1.picture.width }) else { return [] }
        let lacking = scales.filter { !covers(best.picture, at: $0) }
        guard !lacking.isEmpty else { return [] }
        let (width, height) = (best.picture.width, best.picture.height)
        let which = lacking.map { "@\($0)x" }.reversed().joined(separator: " and ")
        let wanted = "\(frame.width * scales[0])×\(frame.height * scales[0])"
        let text = "its \(width)×\(height) pixels are too few for \(which): add an @\(scales[0])x file with \(wanted)"
        return [AppFinding("K17", best.name, text, isFatal: false)]
    }

    /// Whether a file is a picture and not an app icon.
    private static func isProductPicture(_ name: String) -> Bool {
        let parts = name.split(separator: "/")
        guard let file = parts.last?.lowercased(), !file.hasPrefix("appicon") else { return false }
        if parts.contains(where: { $0.hasSuffix(".appiconset") }) { return false }
        return [".png", ".jpg", ".jpeg"].contains { file.hasSuffix($0) }
    }

    /// The path without its extension and scale: `Pictures/Die@3x.png` is `Pictures/Die`.
    private static func stem(of name: String) -> String {
        var stem = String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex))
        for scale in scales where stem.hasSuffix("@\(scale)x") { stem.removeLast(3) }
        return stem
    }
}
