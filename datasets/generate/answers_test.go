package generate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// These tests answer queries in the simplest way, to check that they have answers at a
// small scale.

func TestMovieQueriesHaveAnswers(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3} {
		files := generateFiles(t, Movies, Options{Scale: 0.01, Seed: seed})
		both, argentine := 0, map[string]bool{}
		for _, r := range parse(t, files["movies_metadata.csv"]) {
			year, _, _ := strings.Cut(r.get("release_date"), "-")
			made := r.get("production_countries")
			if len(r.cells) != metadataCells || !strings.Contains(made, "'Argentina'") || len(year) != 4 || year < "2000" {
				continue
			}
			argentine[r.get("id")] = true
			if strings.Contains(made, "'Spain'") && year < "2010" {
				both++
			}
		}
		actors, ratings := map[string]int{}, map[string]int{}
		name := regexp.MustCompile(`'name': '([^']+)'`)
		for _, r := range parse(t, files["credits.csv"]) {
			if argentine[r.get("id")] {
				for _, m := range name.FindAllStringSubmatch(r.get("cast"), -1) {
					actors[m[1]]++
				}
			}
		}
		for _, r := range parse(t, files["ratings.csv"]) {
			if argentine[r.get("movieId")] {
				ratings[r.get("movieId")]++
			}
		}
		if both < 2 || len(argentine) < 5 || len(ratings) < 5 || len(actors) < 20 || largest(actors) < 2 {
			t.Errorf("seed %d: %d films of both, %d Argentine, %d of them rated, %d actors, the busiest in %d",
				seed, both, len(argentine), len(ratings), len(actors), largest(actors))
		}
	}
}

func largest(counts map[string]int) int {
	most := 0
	for _, n := range counts {
		most = max(most, n)
	}
	return most
}

func TestSteamQueriesHaveAnswers(t *testing.T) {
	const scale = 0.01
	files := generateFiles(t, Steam, Options{Scale: scale, Seed: 1})
	action, indie := map[string]bool{}, map[string]bool{}
	played := 0
	for _, r := range parse(t, files["games.csv"]) {
		action[r.get("AppID")] = strings.Contains(r.get("Genres"), "Action")
		indie[r.get("AppID")] = strings.Contains(r.get("Genres"), "Indie")
		if hours, err := strconv.Atoi(r.get("Average playtime forever")); err != nil {
			t.Fatal(err)
		} else if hours > 0 && strings.Contains(r.get("Release date"), "201") {
			played++
		}
	}
	english := regexp.MustCompile(`\b(the|The|game|and|it)\b`)
	positive, inEnglish, disliked := map[string]int{}, map[string]int{}, 0
	unknown := 0
	for _, r := range parse(t, files["reviews.csv"]) {
		id := r.get("app_id")
		if _, known := action[id]; !known {
			unknown++
		}
		switch score := r.get("review_score"); {
		case score == "1" && (action[id] || indie[id]):
			positive[id]++
			if action[id] && english.MatchString(r.get("review_text")) {
				inEnglish[id]++
			}
		case score == "-1" && action[id]:
			disliked++
		case score != "1" && score != "-1":
			t.Fatalf("review_score %q", score)
		}
	}
	if threshold := int(50_000 * scale); largest(inEnglish) <= threshold {
		t.Errorf("no action game has more than %d positive reviews in English", threshold)
	}
	if played < 10 || len(positive) < 20 || disliked < 100 || unknown < 100 {
		t.Errorf("%d games played, %d liked, %d complaints, %d reviews of unknown games", played, len(positive), disliked, unknown)
	}
}

func TestBookQueriesHaveAnswers(t *testing.T) {
	files := generateFiles(t, Books, Options{Scale: 0.01, Seed: 1})
	year := regexp.MustCompile(`\d{4}`)
	decades := map[string]map[string]bool{}
	nineties, titles, networks := map[string]bool{}, map[string]int{}, 0
	for _, r := range parse(t, files["books_data.csv"]) {
		titles[r.get("Title")]++
		published := year.FindString(r.get("publishedDate"))
		if published == "" {
			continue
		}
		if distributed(r) && r.get("categories") == "['Computers']" && published >= "2000" {
			networks++
		}
		if strings.HasPrefix(published, "199") {
			nineties[r.get("Title")] = true
		}
		author := strings.Trim(strings.Split(r.get("authors"), ",")[0], "[]'")
		if decades[author] == nil {
			decades[author] = map[string]bool{}
		}
		decades[author][published[:3]] = true
	}
	if len(decades["William Shakespeare"]) < 10 {
		t.Errorf("William Shakespeare has books from %d decades", len(decades["William Shakespeare"]))
	}
	reviews := map[string]int{}
	for _, r := range parse(t, files["Books_rating.csv"]) {
		if nineties[r.get("Title")] {
			reviews[r.get("Title")]++
		}
	}
	if networks == 0 || largest(reviews) < 500 {
		t.Errorf("%d books on distributed systems; the most reviewed one of the 1990s has %d reviews", networks, largest(reviews))
	}
	for title, n := range titles {
		if n > 1 && title != "" {
			t.Errorf("title %q stands %d times", title, n)
		}
	}
}

func TestNobodyRatesAFilmTwice(t *testing.T) {
	seen := map[string]bool{}
	previous, known := 0, map[string]bool{}
	files := generateFiles(t, Movies, Options{Scale: 0.005, Seed: 9})
	for _, r := range parse(t, files["movies_metadata.csv"]) {
		known[r.get("id")] = true
	}
	misses := 0
	for _, r := range parse(t, files["ratings.csv"]) {
		key := fmt.Sprint(r.cells[0], ",", r.cells[1])
		if seen[key] {
			t.Fatalf("user,film %s stands twice", key)
		}
		seen[key] = true
		user, err := strconv.Atoi(r.cells[0])
		if err != nil || user < previous {
			t.Fatalf("user %q after %d", r.cells[0], previous)
		}
		previous = user
		if !known[r.cells[1]] {
			misses++
		}
	}
	if misses == 0 || misses > len(seen)*3/4 {
		t.Errorf("%d of %d ratings are of unknown films", misses, len(seen))
	}
}
