extension PageStyle {
    /// The first screen.
    static let overview = #"""
        .hero { display: flex; align-items: center; gap: 20px; margin-bottom: 26px; }
        .hero p { margin-top: 8px; }
        .hero-sign {
          display: grid; place-items: center; flex: none; width: clamp(48px, 5vw, 68px); aspect-ratio: 1;
          border-radius: 50%; background: var(--tone-soft); color: var(--tone);
        }
        .hero-sign .sign { width: 55%; height: 55%; }
        .bar { display: flex; gap: 2px; height: 10px; border-radius: 6px; overflow: hidden; }
        .bar span { background: var(--tone); min-width: 3px; }
        .bar [data-verdict="waiting"] { opacity: 0.25; }
        .bar [data-verdict="passed"] { opacity: 0.8; }
        .bar [data-verdict="failed"] {
          background-image: repeating-linear-gradient(135deg, transparent 0 4px, rgb(255 255 255 / 28%) 4px 7px);
        }
        .bar [data-verdict="error"] {
          background-image: repeating-linear-gradient(45deg, transparent 0 3px, rgb(255 255 255 / 34%) 3px 5px);
        }

        .columns {
          display: grid; grid-template-columns: minmax(0, 1fr) minmax(300px, 380px); gap: 40px clamp(24px, 3vw, 56px);
          align-items: start;
        }
        .columns.even { grid-template-columns: repeat(2, minmax(0, 1fr)); }
        .columns.even section:first-child { margin-top: 40px; }
        .first-screen { grid-template-rows: repeat(2, auto) 1fr; row-gap: 0; }
        .first-screen > section { grid-column: 1; min-width: 0; }
        .narrow { grid-column: 2; grid-row: 1 / span 4; }
        .narrow section { margin-top: 24px; }
        .narrow section:first-child { margin-top: 40px; }

        .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 430px), 1fr)); gap: 14px; }
        .card {
          display: flex; gap: 16px; padding: 14px; border: 1px solid var(--line); border-radius: 14px;
          background: var(--card); box-shadow: var(--shadow); color: inherit; text-decoration: none; min-height: 152px;
        }
        .card:hover { border-color: var(--tone); }
        .card-phone { flex: none; width: 62px; align-self: flex-start; }
        .card-phone.none {
          display: grid; place-items: center; aspect-ratio: 393 / 852; border-radius: 12px;
          background: var(--tone-soft); color: var(--tone); font-size: 1.4rem;
        }
        .card-phone .screen img { border-radius: 9px; }
        .card-text { display: flex; flex-direction: column; gap: 4px; min-width: 0; flex: 1; }
        .card-head { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; font-size: 0.87rem; }
        .card-title { font-weight: 600; line-height: 1.35; }
        .card-cause {
          color: var(--ink-soft); font-size: 0.93rem; line-height: 1.45; display: -webkit-box; -webkit-line-clamp: 3;
          -webkit-box-orient: vertical; overflow: hidden;
        }
        .card-foot {
          display: flex; flex-wrap: wrap; gap: 2px 14px; margin-top: auto; padding-top: 4px; color: var(--quiet);
          font-size: 0.8rem;
        }

        .filters { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; margin-bottom: 12px; }
        .filter-rest { display: contents; }
        .search {
          flex: 1 1 260px; min-width: 0; height: 38px; padding: 0 14px; border: 1px solid var(--line);
          border-radius: 10px; background: var(--card);
        }
        .search::placeholder { color: var(--quiet); }
        .chips { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
        .chip {
          display: inline-flex; align-items: center; gap: 6px; height: 34px; padding: 0 12px 0 10px;
          border: 1px solid var(--line); border-radius: 999px; background: var(--card); font-size: 0.87rem;
        }
        .chip .sign { color: var(--tone); }
        .chip b { font-weight: 650; font-variant-numeric: tabular-nums; }
        .chip[aria-pressed="true"] { background: var(--tone-soft); border-color: var(--tone); color: var(--tone); }
        .choosers { display: flex; flex-wrap: wrap; gap: 6px; }
        .chooser select {
          height: 34px; max-width: 240px; border: 1px solid var(--line); border-radius: 10px; padding: 0 8px;
          background: var(--card); font-size: 0.87rem;
        }
        .chooser.set select { border-color: var(--accent); color: var(--accent); }
        .clear {
          border: 0; background: none; color: var(--accent); text-decoration: underline; text-underline-offset: 2px;
          font-size: 0.87rem;
        }
        .rows { border-top: 1px solid var(--line); }
        .row {
          display: grid; grid-template-columns: 118px minmax(0, 1fr) auto 76px; gap: 16px; align-items: center;
          padding: 10px 8px; border-bottom: 1px solid var(--line-soft); color: inherit; text-decoration: none;
          content-visibility: auto; contain-intrinsic-size: auto 62px;
        }
        .row .badge { justify-self: start; }
        .row:hover { background: var(--stripe); }
        .row-main { display: flex; flex-direction: column; min-width: 0; }
        .row-title { font-weight: 500; line-height: 1.4; }
        .row-id { color: var(--quiet); font: 0.8rem/1.5 var(--mono); }
        .row-tags { display: flex; gap: 4px; flex-wrap: wrap; justify-content: flex-end; max-width: 260px; }
        .row-time {
          text-align: right; color: var(--ink-soft); font-variant-numeric: tabular-nums; font-size: 0.9rem;
          white-space: nowrap;
        }
        .empty, .note { padding: 22px 8px; color: var(--quiet); }

        .news { border-top: 1px solid var(--line-soft); padding: 10px 0; }
        .panel > p + .news { margin-top: 14px; }
        .news summary, .run summary {
          display: flex; align-items: center; gap: 9px; cursor: pointer; font-weight: 550; list-style: none;
        }
        .news summary::-webkit-details-marker { display: none; }
        .news summary .sign { color: var(--tone); }
        .news summary b { margin-left: auto; font-variant-numeric: tabular-nums; }
        .news ul { margin: 8px 0 4px 26px; display: grid; gap: 8px; }
        .news li { display: flex; flex-direction: column; font-size: 0.9rem; line-height: 1.4; }
        .panel .fine { margin-top: 12px; }
        .panel h2 + p { margin-top: 2px; font-size: 0.9rem; }
        .calm { font-size: 0.93rem; }
        .facts {
          display: grid; grid-template-columns: minmax(84px, auto) 1fr; gap: 8px 16px; margin-top: 12px;
          font-size: 0.9rem;
        }
        .facts dt { color: var(--quiet); }
        .versions { display: flex; flex-direction: column; }
        .run { margin-top: 10px; }

        .rules { display: flex; flex-wrap: wrap; gap: 5px; }
        .rule {
          display: inline-flex; align-items: center; gap: 4px; padding: 1px 8px 1px 5px; border-radius: 7px;
          font: 500 0.8rem/1.7 var(--mono); text-decoration: none; background: var(--tone-soft); color: var(--tone);
        }
        .rule.bare { background: none; border: 1px dashed var(--line); color: var(--quiet); padding-left: 8px; }
        a.rule:hover { outline: 1px solid var(--tone); }

        .screen { display: block; position: relative; }
        .screen img {
          display: block; width: 100%; height: auto; border-radius: 12px; box-shadow: 0 0 0 1px var(--line);
        }
        @media screen {
          :root:not([data-screens="dark"]):not([data-screens="both"]) .screen .of-light + .of-dark { display: none; }
          :root[data-theme="dark"]:not([data-screens="light"]):not([data-screens="both"]) .screen .of-light + .of-dark {
            display: block;
          }
          :root[data-theme="dark"]:not([data-screens="light"]):not([data-screens="both"]) .screen .of-light:not(:only-child) {
            display: none;
          }
          :root[data-screens="dark"] .screen .of-light:not(:only-child) { display: none; }
          .card .screen .of-light { display: block !important; }
          .card .screen .of-dark { display: none !important; }
          :root[data-theme="dark"] .card .screen .of-light:not(:only-child) { display: none !important; }
          :root[data-theme="dark"] .card .screen .of-dark { display: block !important; }
        }

        @media print { .row { content-visibility: visible; } }

        @media (max-width: 1080px) {
          .columns, .columns.even { grid-template-columns: minmax(0, 1fr); }
          .first-screen { display: flex; flex-direction: column; align-items: stretch; }
          .narrow { display: contents; }
          .narrow #facts { order: 3; }
          #news { order: 1; }
          #scenarios, #rules { order: 2; }
        }

        @media (max-width: 720px) {
          .row { grid-template-columns: minmax(0, 1fr) auto; gap: 4px 12px; padding: 12px 4px; }
          .row .badge { justify-self: start; }
          .row-time { grid-column: 2; grid-row: 1; }
          .row-main { grid-column: 1 / -1; }
          .row-tags { display: none; }
          .hero { gap: 14px; align-items: flex-start; }
          .card { padding: 12px; gap: 12px; }
        }
        """#
}
