"""Lists: how they come in, how old they may be, and who is alike."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "watchlists-half-a-list-goes-live",
        "apps/reference/watchlists/import_guard.py",
        "stage.total * 100 < live.total * percent",
        "stage.total * 1000 < live.total * percent",
        "A download that was cut off replaces the list.",
        ("tests/watchlists/test_imports.py::test_a_list_that_shrinks_below_its_share_is_refused",),
    ),
    (
        "watchlists-never-checked-is-fresh",
        "apps/reference/watchlists/live_list_sets.py",
        'return f"The publication date of the list {self.slug} is unknown."',
        'return ""',
        "A list of which nobody knows the age is screened against.",
        ("tests/watchlists/test_age_of_lists.py",),
    ),
    (
        "watchlists-sample-in-production",
        "apps/reference/watchlists/live_list_sets.py",
        "if not (settings.PRODUCTION and row.kind == SourceKind.SAMPLE)",
        "if row.slug",
        "Production screens against the bundled sample.",
        ("tests/watchlists/test_sets_and_freshness.py::test_production_leaves_the_sample_out",),
    ),
    (
        "watchlists-required-list-not-missed",
        "apps/reference/watchlists/live_list_sets.py",
        "must = slug in required_slugs() or (row is not None and row.required)",
        "must = row is not None and row.required",
        "A list that the settings require and nobody loaded flags at most.",
        ("tests/watchlists/test_lists_that_are_missing.py",),
    ),
    (
        "watchlists-enabled-list-not-missed",
        "apps/reference/watchlists/live_list_sets.py",
        "lacking=(*(missing_list.detail for missing_list in missing), *ours)",
        "lacking=tuple(ours)",
        "Screens are approved while an enabled list was never loaded.",
        ("tests/watchlists/test_lists_that_are_missing.py",),
    ),
    (
        "watchlists-forgotten-file-taken",
        "apps/reference/watchlists/completeness.py",
        "return [name for name in PARTS.get(format, ()) if name not in set(parts)]",
        "return [name for name in PARTS.get(format, ()) if not parts]",
        "Without its file of aliases OFAC's list goes live, and its aliases leave.",
        ("tests/watchlists/test_whole_lists.py",),
    ),
    (
        "watchlists-aliases-not-counted",
        "apps/reference/watchlists/completeness.py",
        "if old >= FEWEST_COMPARED and new * 100 < old * percent:",
        "if old < 0 and new * 100 < old * percent:",
        "A file of aliases that was cut off takes aliases off the list.",
        ("tests/watchlists/test_whole_lists.py",),
    ),
    (
        "watchlists-by-hand-ages-from-the-import",
        "apps/reference/watchlists/live_list_sets.py",
        "if self.kind == SourceKind.OFFICIAL and self.by_hand:",
        "if self.kind == SourceKind.OFFICIAL and self.by_hand and not self.checked_at:",
        "A list of last year, given by hand today, is current.",
        ("tests/watchlists/test_whole_lists.py",),
    ),
    (
        "watchlists-percents-rounded-up",
        "apps/reference/watchlists/rules/score_limits.py",
        "return int(Decimal(str(round(score, 6))) * 100)",
        "return round(Decimal(str(round(score, 6))) * 100)",
        "A likeness of 0.696 blocks.",
        (
            "tests/screening/test_screen_rules.py"
            "::test_scores_are_rounded_down_so_that_69_99_does_not_block",
        ),
    ),
    (
        "watchlists-weak-alias-blocks",
        "apps/reference/watchlists/matching/scoring_profile.py",
        "weak_alias_ceiling=BELOW_MATCH,",
        "weak_alias_ceiling=0.75,",
        "An alias that the list itself calls weak blocks a payment.",
        (
            "tests/watchlists/test_matching_index.py"
            "::test_a_weak_alias_is_looked_at_and_never_a_match",
        ),
    ),
    (
        "watchlists-threshold-moved",
        "apps/reference/watchlists/matching/scoring_profile.py",
        "(0.64, 0.70)",
        "(0.64, 0.66)",
        "What was measured to be a match is for a person to look at.",
        (
            "tests/watchlists/test_matching_profile.py"
            "::test_the_thresholds_stand_where_they_were_measured",
        ),
    ),
    (
        "watchlists-capital-wallets",
        "apps/reference/watchlists/matching/identifiers.py",
        'return f"0x{found[1]}".lower() if found[1] else bare.lower()',
        "return bare",
        "A listed wallet that is written in capitals is clear.",
        (
            "tests/watchlists/test_matching_profile.py"
            "::test_identifiers_are_the_same_whatever_their_spelling",
        ),
    ),
    (
        "watchlists-proposer-moves-a-list",
        "apps/platform/desk/models/proposals.py",
        "        if self.proposed_by_id == by.pk:\n",
        "        if by.pk is None:\n",
        "One operator turns a list to another address alone.",
        ("tests/watchlists/test_source_changes.py::test_the_proposer_alone_changes_nothing",),
    ),
    (
        "watchlists-change-of-what-was-changed",
        "apps/reference/watchlists/services/source_changes.py",
        "    if _to_stored_value(getattr(source, change.field)) != change.before:\n",
        "    if not change.before:\n",
        "A proposal goes into force on a source that its proposer never saw.",
        (
            "tests/watchlists/test_source_changes.py"
            "::test_what_the_proposer_did_not_see_is_not_overwritten",
        ),
    ),
    (
        "watchlists-not-modified-of-another-file",
        "apps/reference/watchlists/services/refresh_list.py",
        'whole = self.kept.exists() and validators.get("sha256") == compute_checksum(self.kept)',
        "whole = self.kept.exists()",
        "A 304 confirms a file that was damaged since.",
        (
            "tests/watchlists/test_refresh.py"
            "::test_a_file_that_is_not_the_one_the_validators_were_of_is_fetched_whole",
        ),
    ),
    (
        "watchlists-lagging-index-serves",
        "apps/reference/watchlists/engine.py",
        "        if lag > settings.INDEX_MAX_LAG_SECONDS:\n            raise",
        "        if lag > settings.INDEX_MAX_LAG_SECONDS * 1000:\n            raise",
        "A host screens against yesterday's list for days.",
        ("tests/watchlists/test_engine.py::test_a_new_version_serves_once_its_index_is_built",),
    ),
    (
        "watchlists-damaged-index-opened",
        "apps/reference/watchlists/matching/index.py",
        "        verify_directory(directory)\n",
        "",
        "An index with zeroed pages loses names silently.",
        ("tests/watchlists/test_index_damage.py::test_no_damage_of_any_file_is_opened",),
    ),
    (
        "watchlists-month-before-day",
        "apps/reference/watchlists/sources/dates.py",
        ("    if match := _SLASHES.fullmatch(text):\n        day, month, year"),
        ("    if match := _SLASHES.fullmatch(text):\n        month, day, year"),
        "Birth dates are read in American order.",
        (
            "tests/watchlists/test_dates_and_countries.py"
            "::test_a_printed_date_stands_for_every_date_it_may_mean",
        ),
    ),
    (
        "watchlists-delta-drops-offices",
        "apps/reference/watchlists/services/list_imports.py",
        "stage.put(stage.with_known_offices(entities))",
        "stage.put(entities)",
        "An office holder whose address changed holds no office any more.",
        (
            "tests/watchlists/test_import_deltas.py"
            "::test_a_delta_keeps_the_offices_that_it_does_not_repeat",
        ),
    ),
    (
        "watchlists-second-of-a-number-lost",
        "apps/reference/watchlists/services/list_imports.py",
        "    if times == 1:\n",
        "    if times >= 1:\n",
        "Of two parties under one number only the last is listed.",
        (
            "tests/watchlists/test_imports.py"
            "::test_a_number_that_a_file_prints_twice_keeps_both_parties",
        ),
    ),
    (
        "watchlists-nationality-of-a-party-forgiven",
        "apps/reference/watchlists/matching/attribute_agreement.py",
        "if known and held:",
        "if known:",
        "A listed party of unknown nationality scores lower.",
        (
            "tests/watchlists/test_matching_qualifiers.py"
            "::test_what_the_list_does_not_say_moves_nothing",
        ),
    ),
    (
        "watchlists-other-names-of-a-field-unsearched",
        "apps/reference/watchlists/lookup.py",
        "        for part in field.searched:\n",
        "        for part in field.searched[:1]:\n",
        "A listed former name in brackets is approved.",
        ("tests/watchlists/test_lookup_fields.py::test_a_listed_part_blocks_and_is_named",),
    ),
    (
        "watchlists-unreadable-names-approved",
        "apps/reference/watchlists/namefield/unread_parts.py",
        "        found.append(NOTHING)\n",
        "        found.clear()\n",
        "A name of digits alone is approved as checked.",
        ("tests/watchlists/test_namefield_disguises.py::test_what_is_not_compared_is_said",),
    ),
    (
        "watchlists-words-within-words-block",
        "apps/reference/watchlists/namefield/spotted_names.py",
        "CEILING = BELOW_MATCH",
        "CEILING = 1.0",
        "A listed name among many other words blocks before a human has looked.",
        (
            "tests/watchlists/test_lookup_fields.py"
            "::test_a_turned_name_among_other_words_is_told_as_such",
        ),
    ),
    (
        "watchlists-check-digits-of-ships-ignored",
        "apps/reference/watchlists/namefield/identifiers.py",
        "        if imo.is_valid(match[1]):\n",
        "        if match[1]:\n",
        "A number with a slip is looked up as another ship's.",
        (
            "tests/watchlists/test_namefield_codes.py"
            "::test_what_is_no_identifier_is_not_taken_for_one",
        ),
    ),
    (
        "watchlists-look-alikes-kept",
        "apps/reference/watchlists/namefield/disguises.py",
        "            word = unify_script(word, held)\n",
        "            word = word[:]\n",
        "A listed name with Cyrillic letters in it finds nobody.",
        (
            "tests/watchlists/test_namefield_disguises.py"
            "::test_a_word_of_two_scripts_is_read_in_one_and_told",
        ),
    ),
    (
        "watchlists-a-list-off-is-not-told",
        "apps/reference/watchlists/list_status.py",
        "if not (decided or is_required or was_on):",
        "if not is_required:",
        "Two people switch a list off, and Today says nothing of it.",
        (
            "tests/watchlists/test_list_status.py"
            "::test_a_list_that_is_off_is_told_with_who_and_since_when_until_it_is_on",
        ),
    ),
    (
        "watchlists-nobody-is-a-name",
        "apps/reference/watchlists/namefield/unread_parts.py",
        "    elif all(is_placeholder_name(part.text) for part in parts):\n",
        "    elif not parts:\n",
        "What stands for nobody passes as a name that was checked.",
        ("tests/watchlists/test_namefield_disguises.py::test_what_is_not_compared_is_said",),
    ),
    (
        "watchlists-consonants-are-a-name",
        "apps/reference/watchlists/matching/consonants.py",
        "return rare or self.person",
        "return True",
        "A body is flagged whose frequent name has the consonants of a person's.",
        ("tests/watchlists/test_consonants.py",),
    ),
    (
        "watchlists-written-vowels-unread",
        "apps/reference/names/scripts/abjad.py",
        "return bool(pattern.fullmatch(word) or (bare != word and pattern.fullmatch(bare)))",
        "return True",
        "Every second Arabic name is flagged: its consonants are those of somebody listed.",
        ("tests/watchlists/test_consonants.py",),
    ),
    (
        "watchlists-common-part-looked-at",
        "apps/reference/watchlists/matching/person_agreement.py",
        "if not (other or (more and not _lacks_middle_name(alignment, telling))):",
        "if more or not other:",
        "Every second bearer of two frequent names waits for an officer.",
        (
            "tests/watchlists/test_common_evidence.py"
            "::test_a_part_of_common_material_is_no_reason_to_look",
        ),
    ),
    (
        "watchlists-half-a-given-name-looked-at",
        "apps/reference/watchlists/matching/person_agreement.py",
        "other = bool(ours) and (half or (drawn and is_hangul(query.ideographs)))",
        "other = False",
        "A third of Korean names are flagged for a namesake of another family.",
        (
            "tests/watchlists/test_common_evidence.py"
            "::test_a_part_of_common_material_is_no_reason_to_look",
        ),
    ),
    (
        "watchlists-likeness-blocks-alone",
        "apps/reference/watchlists/matching/weak_agreement.py",
        'unlike = match.kind == "edit" and match.similarity < ONE_SLIP',
        "unlike = False",
        "One word that is more than a slip away from a listed one blocks for good (Lazard Group).",
        ("tests/watchlists/test_one_word_names.py::test_one_common_word_is_for_a_human",),
    ),
    (
        "watchlists-another-family-blocks",
        "apps/reference/watchlists/matching/person_agreement.py",
        "    if families:",
        "    if False:",
        "A man is blocked for good for a family name a letter from a listed one (Ladrov, Lavrov).",
        (
            "tests/watchlists/test_near_names.py"
            "::test_who_is_only_near_a_listed_party_is_for_a_human",
        ),
    ),
    (
        "watchlists-transcription-is-another-family",
        "apps/reference/watchlists/matching/person_agreement.py",
        "if are_transcriptions(*folds):",
        "if False:",
        "A listed man is not blocked as Germans or Egyptians write his name.",
        ("tests/watchlists/test_near_names.py::test_the_listed_party_itself_blocks",),
    ),
    (
        "watchlists-syllable-by-sound-blocks",
        "apps/reference/watchlists/matching/person_agreement.py",
        'return "" if written else " ".join(names[0])',
        'return ""',
        "A Korean woman is blocked for good for a name that sounds like a listed man's.",
        (
            "tests/watchlists/test_near_names.py"
            "::test_who_is_only_near_a_listed_party_is_for_a_human",
        ),
    ),
    (
        "watchlists-persons-name-blocks-as-a-group",
        "apps/reference/watchlists/matching/body_agreement.py",
        'return "" if _is_whole_name(alignment) else " ".join(names)',
        'return ""',
        "A man called Mohammed Jaish is blocked for good as the group.",
        (
            "tests/watchlists/test_near_names.py"
            "::test_who_is_only_near_a_listed_party_is_for_a_human",
        ),
    ),
    (
        "watchlists-another-body-blocks",
        "apps/reference/watchlists/matching/body_agreement.py",
        "if not 1 <= len(telling) <= FEW or any(map(_tells_of_body, left)):",
        "if telling:",
        "A business is blocked whose name begins with a listed one (Hidden Cobra Brewing).",
        (
            "tests/watchlists/test_near_names.py"
            "::test_who_is_only_near_a_listed_party_is_for_a_human",
        ),
    ),
    (
        "watchlists-acronym-of-a-business-blocks",
        "apps/reference/watchlists/matching/weak_agreement.py",
        "return added or (renamed and not listed.legal)",
        "return False",
        "A shop is blocked for good for an acronym that is a given name too (Isis Ltd).",
        (
            "tests/watchlists/test_near_names.py"
            "::test_who_is_only_near_a_listed_party_is_for_a_human",
        ),
    ),
    (
        "watchlists-bank-without-its-country-blocks",
        "apps/reference/watchlists/matching/body_agreement.py",
        "any(is_trade_token(word) or word.text in OF_LEGAL_FORMS for word in words)",
        "any(map(is_trade_token, words))",
        "Another country's Foreign Trade Bank is blocked for good.",
        (
            "tests/watchlists/test_near_names.py"
            "::test_who_is_only_near_a_listed_party_is_for_a_human",
        ),
    ),
    (
        "watchlists-usual-name-beside-trade-blocks",
        "apps/reference/watchlists/matching/body_agreement.py",
        'return query.tokens[match.query[0]].text if little else ""',
        'return ""',
        "Every Khan General Trading is blocked for good for that of Shahbaz Khan.",
        ("tests/watchlists/test_other_bodies.py",),
    ),
    (
        "watchlists-words-of-trade-hold-payments",
        "apps/reference/watchlists/matching/body_agreement.py",
        'if match is None or match.kind != "edit" or match.similarity >= ONE_SLIP:',
        "if True:",
        "Konya Commercial Bank is blocked for Koryo Commercial Bank.",
        ("tests/watchlists/test_other_bodies.py",),
    ),
    (
        "watchlists-city-is-a-listed-man",
        "apps/reference/watchlists/matching/person_agreement.py",
        "if not has_organization_word(query.ideographs):",
        "if True:",
        "Payments to Chinese and Japanese cities are held for people whose syllables they share.",
        ("tests/watchlists/test_other_bodies.py",),
    ),
    (
        "watchlists-leading-form-of-a-firm-unread",
        "apps/reference/watchlists/matching/person_agreement.py",
        "for first, end in ends if span is None else [(span.start, span.end), *ends]:",
        "for first, end in ends:",
        "A Russian company is blocked for good for the man whose name it bears.",
        ("tests/watchlists/test_other_bodies.py",),
    ),
)
