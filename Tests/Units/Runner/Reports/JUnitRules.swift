import Foundation
import FoundationXML

@testable import HILReports

/// Checks a JUnit document by the rules of the dialect: `junit-10.xsd` of Jenkins' xUnit plugin, and the rules of
/// GitLab and GitHub.
final class JUnitRules: NSObject, XMLParserDelegate {
    final class Element {
        let name: String
        let attributes: [String: String]
        var children: [Element] = []
        var text = ""

        init(_ name: String, _ attributes: [String: String]) {
            self.name = name
            self.attributes = attributes
        }

        subscript(_ name: String) -> [Element] { children.filter { $0.name == name } }
    }

    private static let attributes: [String: (required: Set<String>, optional: Set<String>)] = [
        "testsuites": (["name", "tests", "failures", "errors", "time"], []),
        "testsuite": (["name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname"], []),
        "properties": ([], []),
        "property": (["name", "value"], []),
        "testcase": (["classname", "name", "time"], []),
        "failure": (["type", "message"], []),
        "error": (["type", "message"], []),
        "skipped": (["message"], []), "flakyFailure": (["type", "message"], []),
        "rerunFailure": (["type", "message"], []), "flakyError": (["type", "message"], []),
        "rerunError": (["type", "message"], []),
        "system-out": ([], []),
    ]
    private static let children: [String: Set<String>] = [
        "testsuites": ["testsuite"], "testsuite": ["properties", "testcase"], "properties": ["property"],
        "testcase": [
            "failure", "error", "skipped", "flakyFailure", "flakyError", "rerunFailure", "rerunError", "system-out",
        ],
    ]

    private(set) var root: Element?
    private(set) var violations: [String] = []
    private var open: [Element] = []

    private let flavor: JUnit.Flavor

    init(_ document: String, flavor: JUnit.Flavor = .plain) {
        self.flavor = flavor
        super.init()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = self
        if !parser.parse() { violations.append("no XML: \(String(describing: parser.parserError))") }
        guard let root else { return }
        check(root)
        for suite in root["testsuite"] { check(suite: suite) }
        if document.utf8.count > 30_000_000 { violations.append("more than 30 MB") }
    }

    var cases: [Element] { root?["testsuite"].flatMap { $0["testcase"] } ?? [] }

    private func check(_ element: Element) {
        guard let known = JUnitRules.attributes[element.name] else {
            violations.append("there is no <\(element.name)>")
            return
        }
        let names = Set(element.attributes.keys)
        for name in known.required.subtracting(names) { violations.append("<\(element.name)> lacks \(name)") }
        // Only GitHub's readers know these two.
        let more: Set<String> = element.name == "testcase" && flavor == .github ? ["file", "line"] : []
        for name in names.subtracting(known.required).subtracting(known.optional).subtracting(more) {
            violations.append("<\(element.name)> must not have \(name)")
        }
        if let time = element.attributes["time"], time.wholeMatch(of: /\d+\.\d{1,3}/) == nil {
            violations.append("the time \(time)")
        }
        if (element.attributes["message"]?.unicodeScalars.count ?? 0) > 500 {
            violations.append("a message of more than 500")
        }
        for child in element.children {
            if JUnitRules.children[element.name]?.contains(child.name) != true {
                violations.append("<\(child.name)> in <\(element.name)>")
            }
            check(child)
        }
    }

    private func check(suite: Element) {
        let cases = suite["testcase"]
        let names = cases.map { "\($0.attributes["classname"] ?? "")#\($0.attributes["name"] ?? "")" }
        if Set(names).count != names.count { violations.append("two cases have one name") }
        let counts = [
            ("tests", cases.count), ("failures", cases.count { !$0["failure"].isEmpty }),
            ("errors", cases.count { !$0["error"].isEmpty }), ("skipped", cases.count { !$0["skipped"].isEmpty }),
        ]
        for (name, count) in counts where suite.attributes[name] != "\(count)" {
            violations.append("\(name) is \(suite.attributes[name] ?? ""), not \(count)")
        }
        if suite.attributes["timestamp"]?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) == nil {
            violations.append("the timestamp")
        }
        for property in suite["properties"].flatMap({ $0["property"] }) where property.attributes["value"] == "" {
            violations.append("a property without a value")
        }
        check(cases: cases)
    }

    private func check(cases: [Element]) {
        var files: Set<String> = []
        for one in cases {
            if one["system-out"].count != 1 { violations.append("not one system-out") }
            let outcomes = ["failure", "error", "skipped"].flatMap { one[$0] }
            if outcomes.count > 1 { violations.append("several outcomes") }
            let flaky = one["flakyFailure"] + one["flakyError"]
            let reruns = flaky + one["rerunFailure"] + one["rerunError"]
            if !flaky.isEmpty, !outcomes.isEmpty { violations.append("flaky, and yet an outcome") }
            for outcome in outcomes + reruns where outcome.name != "skipped" {
                if !outcome.text.contains(outcome.attributes["message"]!.prefix(200)) {
                    violations.append("the message is not in the body")
                }
            }
            let lines = (one["system-out"].first?.text ?? "").split(separator: "\n")
            let links = lines.drop { !$0.hasPrefix("[[ATTACHMENT|") }
            for link in links {
                guard let path = link.wholeMatch(of: /\[\[ATTACHMENT\|([^|\[\]]+)\]\]/)?.1 else {
                    violations.append("not an attachment at the end: \(link)")
                    continue
                }
                if path.hasPrefix("/") { violations.append("an absolute attachment") }
                if !files.insert(String(path.split(separator: "/").last!)).inserted {
                    violations.append("two attachments have one name")
                }
            }
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let element = Element(name, attributes)
        if let parent = open.last { parent.children.append(element) } else { root = element }
        open.append(element)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.text += text }
}
