import Foundation

/// What shells complete after `hil`, made of the pages of ``Help``.
enum ShellCompletions {
    enum Shell: String, CaseIterable { case bash, zsh, fish }

    /// The script for a shell.
    static func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private static var bash: String {
        let cases = Help.pages.map { page in
            "        \(page.name)) words=\"\(page.options.map(\.name).joined(separator: " "))\" ;;"
        }
        return """
            # Completion of hil's commands and options for bash; made by `hil completions bash`.
            _hil() {
                local word=${COMP_WORDS[COMP_CWORD]} words=
                if [ "$COMP_CWORD" = 1 ]; then
                    COMPREPLY=($(compgen -W "\(Help.commands.joined(separator: " "))" -- "$word"))
                    return
                fi
                case ${COMP_WORDS[1]} in
            \(cases.joined(separator: "\n"))
                esac
                case $word in -*) COMPREPLY=($(compgen -W "$words --help" -- "$word")) ;; esac
            }
            complete -o default -F _hil hil

            """
    }

    private static var zsh: String {
        func quoted(_ text: String) -> String {
            "'" + text.replacing("'", with: "'\\''").replacing(":", with: "\\:") + "'"
        }
        let commands = Help.pages.map { "        \(quoted($0.name)):\(quoted($0.summary))" }
        let cases = Help.pages.map { page in
            let options = page.options.map { "\(quoted($0.name)):\(quoted($0.text))" }.joined(separator: " ")
            return "        \(page.name)) options=(\(options)) ;;"
        }
        return """
            #compdef hil
            # Completion of hil's commands and options for zsh; made by `hil completions zsh`.
            _hil() {
                local -a commands options
                commands=(
            \(commands.joined(separator: "\n"))
                )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                case $words[2] in
            \(cases.joined(separator: "\n"))
                esac
                _describe -o option options
                _files
            }
            _hil "$@"

            """
    }

    private static var fish: String {
        func quoted(_ text: String) -> String {
            "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }
        var lines = ["# Completion of hil's commands and options for fish; made by `hil completions fish`."]
        for page in Help.pages {
            lines.append("complete -c hil -n __fish_use_subcommand -f -a \(page.name) -d \(quoted(page.summary))")
            lines += page.options.map { option in
                "complete -c hil -n '__fish_seen_subcommand_from \(page.name)' -l \(option.name.dropFirst(2)) "
                    + "-d \(quoted(option.text))"
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension HelpPage {
    /// The long options of the command, each once, with its explanation, which is empty if only the usage has it.
    var options: [(name: String, text: String)] {
        let explained = lists.flatMap(\.items).flatMap { item in
            item.name.matches(of: /--[a-z][a-z-]*/).map { (name: String($0.output), text: item.text) }
        }
        let used = usage.flatMap { $0.matches(of: /--[a-z][a-z-]*/).map { (name: String($0.output), text: "") } }
        var known: Set<String> = []
        return (explained + used).filter { known.insert($0.name).inserted }
    }
}
